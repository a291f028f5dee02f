"""Modules that need no browser are tested in node, where it is installed; with CI=true it must be."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
MODULES = sorted(TESTS.rglob("*.test.js"))


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_modules_in_node(file):
    node = shutil.which("node")
    if node is None and not os.environ.get("CI"):
        pytest.skip("node is not installed: modules of the pages are not tested by themselves")
    assert node, "node is needed here: install Node.js 20 or newer"
    found = subprocess.run([node, "--test", file], capture_output=True, text=True, encoding="utf-8")
    assert found.returncode == 0, found.stdout + found.stderr
