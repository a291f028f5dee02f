"""Those who play the pairs of a match: a crew takes jobs and reports what became of each.

There are two: `workers.Workers` on this machine and `cluster.Cluster` on Dask. The same job gives the same games in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from plyground.arena.messages import Job, PlayedPair, WorkerReply


@dataclass(frozen=True)
class Done:
    """A pair was played."""

    job: Job
    result: PlayedPair


@dataclass(frozen=True)
class Lost:
    """The worker that played a pair is gone, and the pair with it: it must be given again."""

    job: Job
    why: str


@dataclass(frozen=True)
class Failed:
    """A pair can't be played, and trying again would not help."""

    job: Job
    message: str
    """One line for the user."""
    trace: str = ""
    """The traceback, if the cause may be a mistake in Plyground or in the rules."""


Event = Done | Lost | Failed


def outcome(job: Job, answer: WorkerReply) -> Done | Failed:
    """Return what a worker's answer to a job means."""
    if answer.result is not None:
        return Done(job, answer.result)
    return Failed(job, answer.error or "a worker gave no answer", answer.trace)


class Crew(Protocol):
    """Plays pairs somewhere else, in a `with` block: leaving it ends everything that is still being played."""

    def __enter__(self) -> Crew: ...

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None: ...

    def room(self) -> int:
        """Return how many more jobs it takes now: a few more than it can play at once, so that nobody waits."""

    def give(self, job: Job) -> None:
        """Hand over a job."""

    def wait(self, seconds: float) -> list[Event]:
        """Return what happened since the last call; wait for the first event, at most `seconds`."""
