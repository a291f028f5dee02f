# Two commands: `make play` and `make test`. Each sets up what it needs; nothing but python3 is asked for.
PYTHON ?= python3
GAME ?= connect4
BIN := .venv/bin

.PHONY: help setup play test test-long lint bench clean

help:
	@echo "make play [GAME=othello]   play in the terminal"
	@echo "make test                  lint, types and tests"
	@echo "make test-long             the checks that take minutes"
	@echo "make bench                 measure, and write the tables of the README"
	@echo "make setup                 just make .venv (.venv/bin/plyground)"

setup: .venv/.ready

.venv/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Plyground needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

play: setup
	@$(BIN)/plyground play '$(GAME)'

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2

test-long: setup
	$(BIN)/pytest -m long

bench: setup
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
