# Every target prints what it does and ends with a one-line verdict.
PYTHON ?= python3
BIN := .venv/bin
PROTOS := $(sort $(wildcard proto/referee/v1/*.proto))
WORKERS ?= auto

.PHONY: help demo test lint proto bench matches mutate differential fuzz crash crash-tournament coverage memoriser rate soak simulate wheel hostile test-clients clean
help:
	@echo "make demo          a match between four sample bots over gRPC on this machine, verified"
	@echo "make test          the whole test suite"
	@echo "make lint          ruff, mypy --strict, buf lint, generated code in sync"
	@echo "make test-clients  the clients of every language (Node and Go are needed)"
	@echo "make bench         what an ask and a log line cost, side by side with their floors"
	@echo "make matches       whole matches under presets and random rules, every log verified (SEEDS=1000 RANDOM=10000)"
	@echo "make mutate        every small change to a signed log, and what notices it"
	@echo "make differential  two engines and two validators against each other (CASES=100000 MATCHES=2000)"
	@echo "make fuzz          the reader and the validator against any bytes (SECONDS=60 SEED=1)"
	@echo "make simulate      whole referees in simulated time, with faults of every kind (SEEDS=1000 START=0 JOBS=2)"
	@echo "make hostile       bots that misbehave, each in one way, and what the referee does about it (BOTS='snoops')"
	@echo "make crash         a referee killed again and again in mid-match, and what becomes of its matches (KILLS=50)"
	@echo "make crash-tournament  a director killed again and again, and what becomes of its event (KILLS=20)"
	@echo "make coverage      events resampled from real blocks, and whether intervals and tests keep what they promise (EVENTS=2000)"
	@echo "make memoriser     what a bot gains that remembers duplicate deals, and that in a sandbox it is nothing (BLOCKS=8)"
	@echo "make rate          how many rounds a second an event plays, and what the time goes into (TABLES=1,2,8)"
	@echo "make soak          a referee under load for a long time, and whether it stays as it was (MINUTES=30)"
	@echo "make wheel         the package, and the verifier in one file, in dist/"
	@echo "make proto         generate referee/v1 from proto/"
	@echo "make clean         remove everything that make made"

# The environment: made once, and again when what it depends on changes.
.venv/ready: pyproject.toml clients/python/pyproject.toml
	@echo "== making the environment in .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "python 3.11 or newer is needed: make PYTHON=python3.12 ..." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -e clients/python
	@touch $@

demo: .venv/ready
	@echo "== demo: a match over gRPC on loopback, its log, its verification"
	@$(BIN)/toep demo

test: .venv/ready
	@echo "== test: the whole suite"
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

lint: .venv/ready
	@echo "== lint: ruff, mypy, buf, generated code"
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/buf lint
	@echo "lint: clean"

proto: .venv/ready
	@echo "== proto: generating referee/v1"
	@rm -f referee/v1/*_pb2*.py*
	@$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=. --pyi_out=. $(PROTOS)
	@$(BIN)/python -m grpc_tools.protoc -Iproto --grpc_python_out=. proto/referee/v1/referee_service.proto
	@echo "proto: $(words $(PROTOS)) schemas generated"

# `npm ci` installs exactly what the lock file says.
test-clients: .venv/ready
	@echo "== test-clients: TypeScript, Go, Python, the bridge, and all of them at one table"
	@command -v npm >/dev/null || { echo "npm is needed for the TypeScript client" >&2; exit 2; }
	@command -v go >/dev/null || { echo "go is needed for the Go client" >&2; exit 2; }
	@cd clients/typescript && npm ci --silent --no-audit --no-fund && npm run --silent lint && npm test --silent
	@cd clients/go && go vet ./... && go test ./...
	@$(BIN)/python -m pytest -q -n $(WORKERS) tests/clients
	@echo "test-clients: passed"

bench: .venv/ready
	@echo "== bench: the wire"
	@$(BIN)/python -m tests.bench.wire
	@echo "== bench: the validator"
	@$(BIN)/python -m tests.bench.validator
	@echo "== bench: parts"
	@$(BIN)/python -m pytest tests/bench -o python_files='bench_*.py' --benchmark-only --benchmark-columns=min,median,ops -q
	@echo "bench: done"

SEEDS ?= 1000
RANDOM ?= 10000
matches: .venv/ready
	@echo "== matches: $(SEEDS) seeds of every preset and table size, $(RANDOM) random rule sets"
	@$(BIN)/python -m tests.campaigns.matches --seeds $(SEEDS) --random $(RANDOM)

mutate: .venv/ready
	@echo "== mutate: every byte, line, cut and field of short signed logs, changed one at a time"
	@$(BIN)/python -m tests.campaigns.mutate

# Also from the other side: what our engine makes of what the other one calls legal.
CASES ?= 100000
MATCHES ?= 2000
differential: .venv/ready clients/typescript/dist/cli/engine.js
	@echo "== differential: $(CASES) random cases and $(MATCHES) matches through two engines and two validators"
	@$(BIN)/python -m tests.campaigns.differential --cases $(CASES) --matches $(MATCHES)

clients/typescript/dist/cli/engine.js: $(shell find clients/typescript/src -name '*.ts') clients/typescript/package-lock.json
	@cd clients/typescript && npm ci --silent --no-audit --no-fund && npm run --silent build && touch dist/cli/engine.js

SECONDS ?= 60
SEED ?= 1
fuzz: .venv/ready
	@echo "== fuzz: $(SECONDS) s of bytes that are no log, from seed $(SEED)"
	@$(BIN)/python -m tests.campaigns.fuzz --seconds $(SECONDS) --seed $(SEED)

START ?= 0
JOBS ?= 2
simulate: .venv/ready
	@echo "== simulate: $(SEEDS) referees in simulated time, from seed $(START)"
	@$(BIN)/python -m tests.simulation.run --seeds $(SEEDS) --start $(START) --jobs $(JOBS)

BOTS ?=
hostile: .venv/ready
	@echo "== hostile: bots that misbehave, each in one way"
	@GRPC_VERBOSITY=NONE $(BIN)/python -m tests.campaigns.hostile $(BOTS)

KILLS ?= 50
crash: .venv/ready
	@echo "== crash: 100 matches, $(KILLS) kills of the referee"
	@$(BIN)/python -m tests.campaigns.crash --kills $(KILLS)

crash-tournament: KILLS = 20
crash-tournament: .venv/ready
	@echo "== crash-tournament: an event of twelve bots, $(KILLS) kills of its director"
	@$(BIN)/python -m tests.campaigns.crash_tournament --kills $(KILLS)

EVENTS ?= 2000
coverage: .venv/ready
	@echo "== coverage: $(EVENTS) events resampled from fixtures/tournament/pool.json"
	@$(BIN)/python -m tests.campaigns.coverage --events $(EVENTS)

BLOCKS ?= 8
memoriser: .venv/ready
	@echo "== memoriser: three events of $(BLOCKS) blocks: its memory off, without isolation, in sandboxes"
	@$(BIN)/python -m tests.campaigns.memoriser --blocks $(BLOCKS)

TABLES ?= 1,2,8
rate: .venv/ready
	@echo "== rate: an event of four bots at $(TABLES) tables at once, and what the time goes into"
	@$(BIN)/python -m tests.campaigns.rate --concurrency $(TABLES)

MINUTES ?= 30
soak: .venv/ready
	@echo "== soak: 1,000 tables on one stream, 200 connections at once, then 200 tables for $(MINUTES) minutes"
	@$(BIN)/python -m tests.campaigns.soak --minutes $(MINUTES)

wheel: .venv/ready
	@echo "== wheel: the package, and the verifier in one file"
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@$(BIN)/python tools/pyz.py dist/toep-verify.pyz
	@echo "wheel: $$(cd dist && echo *.whl *.pyz)"

clean:
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks demo dist build
	@rm -rf clients/typescript/node_modules clients/typescript/dist
	@echo "clean: done"
