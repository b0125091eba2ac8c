# Everything runs in .venv, which the first `make play` or `make test` sets up. Needed before that: make and Python >= 3.11.
# Options:  make play ARGS="…"   make test ARGS="-k kismet"   make soak ARGS="--minutes 60"   make lock ARGS=--upgrade   make setup PYTHON=python3.13

VENV   := .venv
PY     := $(VENV)/bin/python
APP    := $(PY) hatch_build.py
PIP    := $(PY) -m pip --disable-pip-version-check --no-input -qq
LOCKED := $(VENV)/.locked
READY  := $(VENV)/.ready
NODE   := $(VENV)/.node
BENCH  := $(VENV)/.bench
PEERS  := $(VENV)/peers/.ready
# Tests that are not quick mostly wait for servers and pages, so there are two for each core.
TWICE  := $(PY) -c 'import os; print(2 * (os.cpu_count() or 1))'
QUICK  := not service and not browser and not slow
CODE   := $(wildcard src tests benchmarks strategy examples release hatch_build.py)

.PHONY: release help play docs test quick quick-tests coverage soak setup app check check-python check-web types lock bench strategy mutants clean FORCE
.DELETE_ON_ERROR:

help:
	@echo "make play     play in the browser, with everybody in the house"
	@echo "make docs     build the documentation, and say where it is"
	@echo "make test     check and test everything"
	@echo "make quick    lint, types and the tests that need no service, browser or compiler: under two minutes"
	@echo "make check    lint, formatting, types"
	@echo "make coverage which lines and branches do the quick tests miss? more than pyproject.toml allows fail"
	@echo "make soak     new random examples and storms, for ten minutes or as ARGS says (tests/soak.py)"
	@echo "make types    write anew what the code says of itself: docs/reference.md, api/, environments.md and rules/, load_game's overloads,"
	@echo "              and what the server says to the browser app (web/schema.json, web/src/lib/schema.ts)"
	@echo "make bench    measure everything beside its peers, or what ARGS names, and write docs/benchmarks.md anew"
	@echo "make strategy work the strategy book out anew: all games, or those in ARGS"
	@echo "make mutants  how many bugs planted in the rules do the tests find?"
	@echo "make lock     write requirements/*.txt anew from pyproject.toml"
	@echo "make release  everything about a release but the upload: tests, every Python that is promised, dist/ (release/__main__.py)"
	@echo "make setup    set up .venv and build the browser app (the others do it by themselves)"
	@echo "make clean    remove .venv and all that was generated"

play: setup
	@$(VENV)/bin/hotdice $(ARGS)

docs: setup
	@$(APP) docs
	@echo "Open src/hotdice/server/docs/index.html, or /docs at a server of yours."

test: check
	@tests/install-services
	@$(APP) npm --silent test
ifeq ($(ARGS),)
	@failed=; $(PY) -m pytest -n auto -rfEs -m "$(QUICK)" --cov --cov-report= || failed=1; \
	$(PY) -m pytest -n $$($(TWICE)) --dist loadfile --no-loadscope-reorder -rfEs -m "not ($(QUICK))" || failed=1; [ -z "$$failed" ]
else
	@$(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder -rfEs $(ARGS)
endif

quick: setup
	@$(MAKE) --no-print-directory -j3 --output-sync=target check-python check-web quick-tests

quick-tests:
	@$(PY) -m pytest -n auto -rfEs -m "$(QUICK)" $(ARGS)

coverage: setup
	@$(PY) -m pytest -n auto -m "$(QUICK)" --cov --cov-report=term-missing:skip-covered $(ARGS)

soak: setup
	@$(PY) -m tests.soak $(ARGS)

check: setup
	@$(MAKE) --no-print-directory -j2 --output-sync=target check-python check-web

check-python:
	@$(VENV)/bin/ruff check $(CODE)
	@$(VENV)/bin/ruff format --check $(CODE)
	@$(PY) -m mypy $(CODE)

check-web:
	@$(APP) npm --silent run types -- --check >/dev/null \
		|| { echo "web/src/lib/schema.ts lags behind web/schema.json: run 'make types'."; exit 1; } >&2
	@$(APP) npm --silent run lint
	@$(APP) npm --silent run check

types: setup
	@$(PY) -m hotdice.reference
	@$(PY) -m hotdice.rulebook
	@$(PY) -m hotdice.envs.tables
	@$(PY) -m hotdice.server.schema
	@$(PY) -m tests.manual
	@$(APP) npm --silent run types
	@$(APP) npm --silent run figures

bench: setup $(BENCH) $(PEERS)
	@$(PY) -m benchmarks $(ARGS)

strategy: setup
	@$(PY) -m strategy $(ARGS)

mutants: setup
	@$(PY) -m mutmut run $(ARGS)
	@$(PY) -m mutmut results

release: setup
	@$(PY) -m release $(ARGS)

lock: $(LOCKED)
	@$(PIP) install 'uv>=0.13,<0.14'
	@$(COMPILE) pyproject.toml --extra play --extra cluster --extra plot --extra data --extra dask --extra envs --group dev --group docs -o requirements/dev.txt $(ARGS)
	@$(COMPILE) --group bench -c requirements/dev.txt -o requirements/bench.txt $(ARGS)
	@$(COMPILE) --group peers -o requirements/peers.txt $(ARGS)
	@$(COMPILE) --group node -o requirements/node.txt $(ARGS)

COMPILE = $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-strip-extras --custom-compile-command "make lock"

clean:
	rm -rf $(VENV) dist mutants .hypothesis .pytest_cache .mypy_cache .ruff_cache .coverage htmlcov \
		web/node_modules src/hotdice/server/static src/hotdice/server/docs src/hotdice/review/viewer
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- setting up ----

setup: $(READY) app
	@:

# A .venv is kept if it was finished in this folder, its Python still runs, and it was made with the PYTHON asked for, if any.
KEPT := $(shell grep -qxF "here=$$PWD" $(LOCKED) 2>/dev/null && $(PY) -c '' 2>/dev/null \
	&& { [ -z '$(PYTHON)' ] || grep -qxF 'python=$(PYTHON)' $(LOCKED); } && echo yes)
ifneq ($(KEPT),yes)
$(LOCKED): FORCE
endif

# The packages of the lock and nothing else, made from nothing, so that an interrupted set-up leaves no trace. The lock is complete:
# with --no-deps a release that came out since cannot get in pip's way.
$(LOCKED): requirements/dev.txt
	@rm -rf $(VENV)
	@$(FIND_PYTHON); \
	echo "Setting up $(VENV) with Python $$version (about a minute, once)"; \
	"$$python" -m venv $(VENV)
	@$(PIP) install --no-deps --require-hashes -r requirements/dev.txt
	@printf '%s\n' "here=$$PWD" "python=$$PYTHON" >$@

# The browser app and the documentation, if their sources have changed since they were built; and what runs npm, if this machine has nothing that will do.
app: $(NODE)
	@$(APP) build

$(NODE): $(LOCKED) requirements/node.txt
	@$(APP) node || { echo "Installing Node.js into $(VENV), for the browser app"; $(PIP) install --no-deps --require-hashes -r requirements/node.txt; }
	@touch $@

# Hotdice itself, from src; then whether the lock still has all that pyproject.toml asks for.
$(READY): $(LOCKED) pyproject.toml | app
	@$(PIP) install --no-deps --no-build-isolation -e .
	@found=$$($(PY) -m pip check) || { echo "$$found"; echo "requirements/dev.txt lags behind pyproject.toml: run 'make lock'."; exit 1; } >&2
	@touch $@

$(BENCH): $(LOCKED) requirements/bench.txt | $(READY)
	@echo "Installing what the benchmarks compare with"
	@$(PIP) install --no-deps --require-hashes -r requirements/bench.txt
	@touch $@

$(PEERS): $(LOCKED) requirements/peers.txt
	@echo "Setting up $(VENV)/peers for other programs' learning environments (600 MB)"
	@rm -rf $(@D)
	@$(PY) -m venv $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check --no-input -qq install --no-deps --require-hashes -r requirements/peers.txt
	@touch $@

# Sets $python to the first interpreter that really runs (a pyenv shim may not), is new enough and can make a .venv.
FIND_PYTHON = python=; old=; \
	for candidate in "$$PYTHON" python3 python3.13 python3.12 python3.11 python3.14 python; do \
		[ -n "$$candidate" ] || continue; \
		version=$$("$$candidate" -c 'import platform, sys; sys.version_info >= (3, 11) and print(platform.python_version())' 2>/dev/null); \
		[ -n "$$version" ] || continue; \
		if "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; then python=$$candidate; break; fi; \
		old=$${old:-$$version}; \
	done; \
	if [ -z "$$python" ] && [ -n "$$old" ]; then \
		echo "Python $$old is here without venv: install it (Debian and Ubuntu: apt install python3-venv) and run make again." >&2; exit 1; \
	elif [ -z "$$python" ]; then \
		echo "Hotdice needs Python 3.11 or newer, and none was found: install one, or name it with make PYTHON=/path/to/python3." >&2; exit 1; \
	fi
