"""The kit finds faults: executors that are wrong on purpose, each caught by the cases that are named with it."""

import re

import pytest

from referee.conformance.kit import Item, engine_items, find_kit, validator_items
from referee.conformance.process import EngineProcess
from referee.conformance.run import Judge
from tests.conformance.wrong import EXECUTORS, ROOT, command

KIT = find_kit()
ITEMS: dict[str, Item] = {item.id: item for item in (*engine_items(KIT), *validator_items(KIT))}


@pytest.mark.parametrize("name", EXECUTORS)
def test_a_wrong_executor_is_caught(name: str) -> None:
    fault = EXECUTORS[name]
    with EngineProcess(command(name), seconds=20) as process:
        # It is an engine in every other respect: something that does not meet the fault passes.
        asked = [ITEMS[item] for item in (*fault.caught_by, "cases/G01-short", "log/valid/short-2-plain.toep")]
        outcomes = {outcome.id: outcome for outcome in Judge(process, KIT).outcomes(asked)}
    for item in fault.caught_by:
        assert outcomes[item].status == "failed", outcomes[item]
        assert not any(line.startswith(("died", "timeout", "errored")) for line in outcomes[item].why), outcomes[item]
    assert "passed" in {outcome.status for outcome in outcomes.values()}


def test_there_are_enough_of_them_and_the_page_lists_them() -> None:
    assert len(EXECUTORS) >= 12
    page = (ROOT / "docs" / "conformance.md").read_text()
    listed = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert set(EXECUTORS) <= set(listed)
    for fault in EXECUTORS.values():
        for item in fault.caught_by:
            assert f"`{item}`" in page, item
