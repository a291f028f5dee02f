# Two commands: `make play` and `make test`. Each sets up what it needs; nothing but python3 is asked for.
PYTHON ?= python3
GAME ?= connect4
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)

.PHONY: help setup browser play web test test-long lint docs bench clean

help:
	@echo "make play [GAME=othello]   play in the terminal"
	@echo "make web                   write the pages of all games into web/ and open them in a browser"
	@echo "make test                  lint, types and tests"
	@echo "make test-long             the checks that take minutes"
	@echo "make docs                  build the pages and the Python reference into site/"
	@echo "make bench [DATA=folder]   measure, and write the tables; DATA has the public test sets of Connect 4"
	@echo "make browser               install Chromium, for the tests that open a page (Debian, as root)"
	@echo "make setup                 just make .venv (.venv/bin/plyground)"

setup: .venv/.ready

.venv/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Plyground needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

browser:
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -q && apt-get install -y -q --no-install-recommends chromium chromium-driver; \
	else echo "as root: apt-get install chromium chromium-driver" >&2; exit 1; fi

play: setup
	@$(BIN)/plyground play '$(GAME)'

web: setup
	@$(BIN)/plyground web --all --out web --open

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Neighbouring tests run on one worker: what one of them compiles, the next one finds.
test: lint
	$(BIN)/pytest -n 2 --dist worksteal

test-long: setup
	$(BIN)/pytest -m long -n 2 --dist worksteal

docs: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python -m mkdocs build --strict

bench: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks/run.py $(if $(DATA),--data '$(DATA)')

clean:
	rm -rf .venv site web .mypy_cache .ruff_cache .pytest_cache .hypothesis
