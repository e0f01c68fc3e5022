# `make demo` and `make test` are all a new machine needs: both first make .venv from the package index
# (or from .wheels/ when `make wheels` has filled it, then without a network). As root on Debian, `make test` also installs
# the mail servers, mail programs and the browser that some tests run; elsewhere it names those that are missing.
PY     ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIPENV := PIP_DISABLE_PIP_VERSION_CHECK=1 $(if $(wildcard .wheels/*.whl),PIP_NO_INDEX=1 PIP_FIND_LINKS=$(CURDIR)/.wheels)
STAMP  := $(VENV)/.installed
SYSTEM := $(VENV)/.system-parts
LINTED := $(VENV)/.lint-installed
RELEASED := $(VENV)/.release-installed
LOCK   := requirements.lock
DEMO   ?= demo
ROOM   ?= dice
MOST   ?= 200
TARGET ?= mail
OF     ?= tests/pbem/host tests/pbem/ledger
SHARE  := tests/pbem/ledger $(addprefix tests/pbem/host/test_,night.py sealed.py brakes.py)

.PHONY: demo test test-postgres faults coverage mutants fuzz lint lock audit sbom bench wheels compiled clean
.DELETE_ON_ERROR:

$(STAMP): pyproject.toml
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pbem needs Python 3.11 or newer")'
	@test -x $(BIN)/python || $(PY) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "No virtual environment could be made; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(PIPENV) $(BIN)/python -m pip install -qq --editable '.[test]'
	@touch $@

$(LINTED): $(STAMP)
	@$(PIPENV) $(BIN)/python -m pip install -qq --editable '.[lint]'
	@touch $@

$(RELEASED): $(STAMP)
	@$(PIPENV) $(BIN)/python -m pip install -qq --editable '.[release]'
	@touch $@

$(SYSTEM): .ci/system-parts $(STAMP)
	@sh .ci/system-parts
	@touch $@

demo: $(STAMP)
	@$(BIN)/pbem demo $(DEMO)

test: $(STAMP) $(SYSTEM)
	@$(BIN)/python -m pytest -n auto --dist loadgroup
	@$(MAKE) --no-print-directory test-postgres OF="$(SHARE)"

# The host's tests once more, their ledgers in a PostgreSQL server of their own: all, or a share in each `make test`.
test-postgres: $(STAMP)
	@$(BIN)/python -m pytest -n auto --dist loadgroup -p tests.on_postgres $(OF)

# Every guarantee with its whole figures: hours. `make faults ROWS="--only G12"` runs one; the table is docs/guarantees.md.
faults: $(STAMP) $(SYSTEM)
	@$(BIN)/python -m tests.faults --full --jobs auto $(ROWS)

# Branches covered: all of the ledger, the intake and the dice, 95 in 100 of the rules.
coverage: $(STAMP) $(SYSTEM)
	@$(BIN)/python -m tests.faults.coverage

# Small changes that the tests notice: `make mutants ROOM=ledger MOST=500`.
mutants: $(STAMP)
	@$(BIN)/python -m tests.faults.mutants $(ROOM) --most $(MOST)

lint: $(LINTED)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# A release is installed from the lock: `pip install --require-hashes -r requirements.lock`, then the wheel with --no-deps.
lock: $(RELEASED)
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --extra mail --extra png --extra cluster --extra backup --custom-compile-command "make lock" pyproject.toml --output-file $(LOCK)

# Known vulnerabilities of what is locked. --strict: a package that cannot be looked up fails it.
audit: $(RELEASED)
	@$(BIN)/pip-audit --strict --require-hashes --disable-pip --progress-spinner off -r $(LOCK)

# What a release is made of, as CycloneDX.
sbom: $(RELEASED)
	@mkdir -p dist
	@$(BIN)/python -W ignore -m cyclonedx_py requirements $(LOCK) --pyproject pyproject.toml --output-reproducible --of JSON -o dist/pbem.cdx.json
	@echo dist/pbem.cdx.json

# Coverage-guided fuzzing until it is stopped: `make fuzz TARGET=mail FUZZ=-max_total_time=600`; tests/fuzz names the targets.
fuzz: $(STAMP)
	@$(BIN)/python -m tests.fuzz $(TARGET) $(FUZZ)

# The same work beside the peers, each in a room of its own (.bench/): `make bench BENCH=--write` renews docs/speed.md.
bench: $(STAMP)
	@$(BIN)/python -m tests.bench.peers $(BENCH)

wheels:
	@mkdir -p .wheels && $(PY) -m pip download --quiet -d .wheels pip '.[test,lint]' hatchling editables

# A wheel with compiled modules, for this Python on machines like this one (docs/speed.md, "Compiled"); needs a C compiler.
compiled:
	@PBEM_COMPILE=1 $(PIPENV) $(PY) -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) .bench .pytest_cache .ruff_cache .mypy_cache .hypothesis dist $(DEMO)
