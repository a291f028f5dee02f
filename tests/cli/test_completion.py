"""Completion in the shell: the scripts offer commands, options, games and levels; and `plyground docs` prints every page."""

import re
import shlex
import shutil
import subprocess

import pytest

from here import DOCS
from plyground.cli import command, commands, main
from plyground.cli.completion import arguments_to_complete
from plyground.rules.load import builtin_games

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


def script(shell, capsys):
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def offered(bash, *words):
    """What bash offers for the last of these words, which it splits at : and = too."""
    line = " ".join(shlex.quote(word) if word else "" for word in words)
    parts = [shlex.quote(part) for word in words for part in re.findall(r"[:=]|[^:=]+", word) or [""]]
    split = f"COMP_LINE={shlex.quote(line)}; COMP_POINT={len(line)}; COMP_WORDS=({' '.join(parts)}); COMP_CWORD={len(parts) - 1}"
    text = f'{bash}\n{split}; _plyground; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True).stdout.strip("\n").splitlines()


@needs_bash
def test_bash_completes(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "othello_rules.py").touch()
    bash = script("bash", capsys)
    assert offered(bash, "plyground", "") == commands()
    assert offered(bash, "plyground", "comp") == ["compare", "completion"]
    assert offered(bash, "plyground", "play", "oth") == ["othello", "othello_rules.py"]
    assert offered(bash, "plyground", "play", "othello", "--side", "") == ["first", "second", "both", "none"]
    assert offered(bash, "plyground", "play", "othello", "--level", "1") == ["1", "10"]
    assert offered(bash, "plyground", "play", "othello", "--lo") == ["--load"]
    assert offered(bash, "plyground", "solve", "--table", "oth") == ["othello_rules.py"]
    (tmp_path / "two words.py").touch()
    assert offered(bash, "plyground", "play", "two") == ["two words.py"]


@needs_bash
def test_bash_completes_after_a_colon_and_an_equals_sign(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two words.plt").touch()
    bash = script("bash", capsys)
    assert offered(bash, "plyground", "play", "nim", "--against", "level:") == ["5"]
    assert offered(bash, "plyground", "play", "nim", "--against=en") == ["engine"]
    assert offered(bash, "plyground", "play", "nim", "--against=") == [
        "engine",
        "level:5",
        "textbook:alphabeta",
        "solver",
        "random",
        "uci:",
    ]
    assert offered(bash, "plyground", "play", "nim", "--against=textbook:al") == ["alphabeta"]
    assert offered(bash, "plyground", "solve", "nim", "--table=two") == ["two words.plt"]
    assert offered(bash, "plyground", "arena", "nim", "uci:", "eng") == ["engine"], "a blank ends the word"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_script_has_every_command_option_and_game(shell, capsys):
    text = script(shell, capsys)
    for name in commands():
        for argument in arguments_to_complete(command(name).parser()):
            flag = f"-l {argument.flag[2:]} " if shell == "fish" else argument.flag
            assert flag.strip() in text, (name, argument.flag)
    assert all(word in text for word in (*commands(), *builtin_games()))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_reads_its_script(shell, capsys):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    done = subprocess.run([shell, "-n", "/dev/stdin"], input=script(shell, capsys), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_docs_lists_and_prints_every_page(capsys):
    assert main(["docs"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == sorted(page.stem for page in DOCS.glob("*.md") if page.stem != "api")
    for name in listed:
        assert main(["docs", name]) == 0
        assert capsys.readouterr().out == (DOCS / f"{name}.md").read_text(encoding="utf-8")


def test_docs_suggests_a_page(capsys):
    assert main(["docs", "contracts"]) == 2
    assert capsys.readouterr().err == "plyground: there is no page 'contracts'; did you mean contract?\n"
