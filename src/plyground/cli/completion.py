"""Print a script with which your shell completes commands, options, games and levels.

plyground completion bash     (in ~/.bashrc: source <(plyground completion bash))
plyground completion zsh      (in ~/.zshrc: source <(plyground completion zsh))
plyground completion fish     (in ~/.config/fish/config.fish: plyground completion fish | source)
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plyground.cli import Command, Parser, docs
from plyground.cli._terminal import print_json
from plyground.rules.load import builtin_games, installed_games

FILES = ("FILE", "PATH", "GAME", "NAME", "FILE.svg", "ID|FILE")
"""Arguments whose value may be a file."""


class Argument(NamedTuple):
    """An argument of a command, as a shell completes it."""

    flag: str
    """Its name with dashes; empty for a positional argument."""
    help: str
    values: tuple[str, ...]
    takes_value: bool
    file: bool


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground completion`."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="the shell to write the script for")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from plyground.cli import command, commands

    found = [command(name) for name in commands()]
    text = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](found)
    print_json({"shell": args.shell, "script": text}) if args.json else print(text)
    return 0


def arguments_to_complete(parser: Parser) -> Iterator[Argument]:
    """Yield what a shell can complete of a command's arguments."""
    from plyground.engine import FULL_STRENGTH

    values = {
        "GAME": (*builtin_games(), *sorted(installed_games())),
        "PAGE": tuple(docs.pages()),
        "N": tuple(map(str, range(1, FULL_STRENGTH + 1))),
        "PLAYER": ("engine", "level:5", "textbook:alphabeta", "solver", "random", "uci:"),
    }
    for action in parser._actions:
        kind = str(action.metavar or "")
        known = () if kind == "N" and action.dest != "level" else values.get(kind, ())
        found = tuple(map(str, action.choices)) if action.choices else known
        flag = next((flag for flag in action.option_strings if flag.startswith("--")), "")
        yield Argument(flag, (action.help or "").replace("%%", "%"), found, action.nargs != 0, kind in FILES)


def _words(words: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, words))


def _cases(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the branches of a `case` on "COMMAND PREVIOUS-WORD" that set `words`, and `files` where a file may follow."""
    for command in commands:
        found = list(arguments_to_complete(command.parser()))
        for argument in found:
            if argument.flag and argument.takes_value:
                yield f"'{command.name} {argument.flag}') words=({_words(argument.values)}) files={int(argument.file)} ;;"
        flags = [argument.flag for argument in found if argument.flag]
        named = [argument for argument in found if not argument.flag]
        values = [value for argument in named for value in argument.values]
        yield f"'{command.name} '*) words=({_words([*values, *flags])}) files={int(any(a.file for a in named))} ;;"


BASH = r"""
_plyground() {
    # Bash splits words at : and = too. What has no blank before it belongs to the word before.
    local line=$COMP_LINE typed=() n=-1 part i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        [[ $i == 0 || $line == [[:blank:]]* ]] && typed[++n]=
        typed[n]+=$part
        line=${line#"${line%%[![:blank:]]*}"} line=${line#"$part"}
    done
    local whole=${typed[n]} current=${typed[n]} previous=${typed[n-1]} option= files=0 words=() word
    [[ $part == [:=] ]] && part=
    if [[ $current == --*=* ]]; then
        previous=${current%%=*} option=${current%%=*}= current=${current#*=}
    fi
    case "${typed[1]} $previous" in
        @CASES@
    esac
    [[ $n == 1 ]] && words=(@COMMANDS@) files=0
    COMPREPLY=()
    # The replies take the place of the last part alone.
    local before=${whole%"$part"}
    for word in "${words[@]}"; do
        [[ $word == "$current"* ]] && word=$option$word && COMPREPLY+=("${word#"$before"}")
    done
    [[ $files == 1 ]] || return 0
    while IFS= read -r word; do
        compopt -o filenames 2>/dev/null
        word=$option$word COMPREPLY+=("${word#"$before"}")
    done < <(compgen -f -- "$current")
}
complete -F _plyground plyground
"""


def _bash(commands: Sequence[Command]) -> str:
    text = BASH.strip().replace("@CASES@", "\n        ".join(_cases(commands)))
    return text.replace("@COMMANDS@", _words([c.name for c in commands]))


def _zsh(commands: Sequence[Command]) -> str:
    return "\n".join(
        [
            "#compdef plyground",
            "_plyground() {",
            "    local files=0; local -a found",
            '    local key="$words[2] $words[CURRENT-1]"',
            '    case "$key" in',
            *(f"        {case.replace(' words=(', ' found=(')}" for case in _cases(commands)),
            "    esac",
            f"    (( CURRENT == 2 )) && found=({_words([c.name for c in commands])}) files=0",
            "    compadd -- $found",
            "    (( files )) && _files",
            "    return 0",
            "}",
            "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }",
            "compdef _plyground plyground",
        ]
    )


def _fish(commands: Sequence[Command]) -> str:
    lines = ["complete -c plyground -f"]
    for command in commands:
        summary = shlex.quote(command.help.splitlines()[0])
        lines.append(f"complete -c plyground -n __fish_use_subcommand -a {command.name} -d {summary}")
        seen = f"complete -c plyground -n '__fish_seen_subcommand_from {command.name}'"
        for argument in arguments_to_complete(command.parser()):
            values = f" -a {shlex.quote(' '.join(argument.values))}" if argument.values else ""
            files = " -F" if argument.file else ""
            if argument.flag:
                takes = "" if not argument.takes_value else " -r" if argument.file else " -x"
                lines.append(f"{seen} -l {argument.flag[2:]} -d {shlex.quote(argument.help)}{takes}{values}{files}")
            elif values or files:
                lines.append(f"{seen}{values}{files}")
    return "\n".join(lines)
