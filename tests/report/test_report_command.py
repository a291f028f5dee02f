"""`plyground report` as people use it."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from studies import Here

import here
from plyground.arena import worker_pool
from plyground.cli import command, main, report
from plyground.report import Study

RELAY = str(here.DATA / "newcomer" / "relay.py")


def test_the_report_as_text(capsys):
    assert main(["report", RELAY, "--games", "20"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Relay: three runners")
    assert "What stands out" in out
    assert "21 games in" in out


def test_the_report_as_data_and_page(capsys, tmp_path):
    target = tmp_path / "report.html"
    assert main(["report", RELAY, "--games", "4", "--json", "--html", str(target)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["html"] == str(target)
    assert data["games"] == 5
    assert [row["side"] for row in data["winners"][:3]] == ["ann", "bob", "cat"]
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["report"], "the following arguments are required: GAME"),
        (["report", "nosuchgame"], "nosuchgame"),
        (["report", "nim", "--html", "report.txt"], "choose a name that ends in .html"),
        (["report", "nim", "--games", "1"], "must be a whole number from 2 to"),
        (["report", "nim", "--minutes", "0"], "--minutes must be"),
        (["report", "nim", "--minutes", "1", "--games", "4"], "--minutes and --games cannot be combined"),
    ],
)
def test_errors_in_one_line(capsys, words, told):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_page_that_cannot_be_written_is_told_before_the_work(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(Study, "run", lambda self: pytest.fail("the work has begun"))
    assert main(["report", RELAY, "--games", "4", "--html", str(tmp_path / "no" / "report.html")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_page_that_cannot_be_written_loses_nothing(capsys, monkeypatch, tmp_path):
    (tmp_path / "report.html").mkdir()
    assert main(["report", RELAY, "--games", "4", "--html", str(tmp_path / "report.html")]) == 2
    captured = capsys.readouterr()
    assert "What stands out" in captured.out
    assert captured.err.count("\n") == 1


def test_an_interrupted_report(capsys, monkeypatch):
    class Stops(Here):
        """A worker pool whose user presses Ctrl-C after a while."""

        def wait(self, seconds):
            if self.jobs[-1].pair > 7:
                raise KeyboardInterrupt
            return super().wait(seconds)

    monkeypatch.setattr(worker_pool, "Workers", Stops)
    with pytest.raises(KeyboardInterrupt):
        report.run(command("report").parser().parse_args(["nim", "--games", "20", "--json"]))
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert data["stopped"]
    assert 0 < data["games"] < 20
    assert data["value"]["value"] == "win"
    assert f"stopped: {data['games']} games played" in captured.err


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal to the process")
def test_ctrl_c_reports_what_was_found():
    command = [sys.executable, "-m", "plyground", "report", "nim", "--minutes", "5", "--workers", "1", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ), text=True)
    while not re.match("playing: [1-9]", line := process.stderr.readline()):
        assert line, "it ended before it played"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    data = json.loads(out)
    assert data["stopped"]
    assert data["games"] > 0
    assert data["value"]["value"] == "win"
    assert f"stopped: {data['games']:,} games played" in err
    assert process.returncode == 130
