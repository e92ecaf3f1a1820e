# Every target prints what it does and ends with a one-line verdict.
PYTHON ?= python3
BIN := .venv/bin
PROTOS := $(sort $(wildcard proto/referee/v1/*.proto))

.PHONY: help
help:
	@echo "make demo | test | lint | proto | bench | test-clients | clean"

# The environment: made once, and again when pyproject.toml changes.
.venv/ready: pyproject.toml clients/python/pyproject.toml
	@echo "== making the environment in .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "python 3.11 or newer is needed; set PYTHON=..." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -e clients/python
	@touch $@

.PHONY: proto
proto: .venv/ready
	@echo "== generating referee/v1 from proto/"
	@rm -f referee/v1/*_pb2*.py*
	@$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=. --pyi_out=. $(PROTOS)
	@$(BIN)/python -m grpc_tools.protoc -Iproto --grpc_python_out=. proto/referee/v1/referee_service.proto
	@echo "proto: generated $$(ls referee/v1/*_pb2*.py | wc -l) modules"
