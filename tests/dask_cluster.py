"""A real Dask scheduler with real worker processes, for tests."""

import json
import os
import subprocess
import sys

import pytest

from running import FOREVER, wait_until


class Dask:
    """A scheduler and its workers, as processes of their own."""

    def __init__(self, folder, **environment):
        self.folder, self.file = folder, folder / "scheduler.json"
        self.processes = []
        self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", **environment)

    def __enter__(self):
        self.patience = pytest.MonkeyPatch()
        self.patience.setattr("plyground.cluster.remote_work.TIMEOUT_SECONDS", FOREVER)  # for the first worker, on a busy machine
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]
        return self

    def start(self, program, *words, **environment):
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--scheduler-file", str(self.file), "--no-dashboard"]
        with (self.folder / f"{program}.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, *words], stdout=log, stderr=log, cwd=self.folder, env={**os.environ, **environment}
            )
        self.processes.append(process)

    def worker(self, threads=1, **environment):
        words = ("--nthreads", str(threads), "--no-nanny", "--local-directory", str(self.folder))
        self.start("dask_worker", *words, **environment)

    def __exit__(self, *why):
        self.patience.undo()
        for process in self.processes:
            process.kill()
            process.wait()
