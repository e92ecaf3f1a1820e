"""The journal: what may stand in it, what a crash leaves of it, and what is noticed when it was changed."""

from pathlib import Path

import pytest

from referee.tournament.journal import FIRST, Begun, Event, Journal, JournalError, Ruling, is_torn, read

AT = "2026-01-31T09:00:00Z"
EVENT = Event(at=AT, bots=(), commit=FIRST, engine="toep", isolation="none", name="e", schedule=FIRST, spec=FIRST)
BEGUN = Begun(at=AT, concurrency=2, engine="toep")


def written(path: Path, lines: int = 3) -> bytes:
    journal = Journal.create(path)
    journal.append(EVENT, *(BEGUN for _ in range(lines - 1)))
    journal.close()
    return path.read_bytes()


def test_lines_are_linked_and_come_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written(path)
    entries = read(path)
    assert [entry.number for entry in entries] == [1, 2, 3]
    assert entries[0].line.prev == FIRST
    assert len({entry.line.prev for entry in entries}) == 3
    assert isinstance(entries[0].line, Event)


def test_a_journal_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    before = written(path)
    journal, entries = Journal.reopen(path)
    assert (len(entries), journal.lines) == (3, 3)
    journal.append(Ruling(at=AT, by="organiser", kind="pause", why="lunch"))
    journal.close()
    assert path.read_bytes().startswith(before)
    assert len(read(path)) == 4


@pytest.mark.parametrize("torn", [b'{"_":"begun","at":"20', b"{", b"\xff"])
def test_a_torn_line_is_cut_when_it_is_opened_again_and_not_before(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    before = written(path)
    path.write_bytes(before + torn)
    assert is_torn(path)
    assert len(read(path)) == 3
    assert path.read_bytes() == before + torn
    journal, entries = Journal.reopen(path)
    journal.append(BEGUN)
    journal.close()
    assert path.read_bytes().startswith(before)
    assert (len(entries), len(read(path))) == (3, 4)


def test_of_a_journal_that_never_had_a_whole_line_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"_":"eve')
    journal, entries = Journal.reopen(path)
    journal.append(EVENT)
    journal.close()
    assert entries == []
    assert len(read(path)) == 1


def change(data: bytes, what: str) -> bytes:
    lines = data.splitlines(keepends=True)
    if what == "a value":
        lines[1] = lines[1].replace(b'"concurrency":2', b'"concurrency":3')
    elif what == "a line less":
        del lines[1]
    elif what == "a line more":
        lines.insert(1, lines[1])
    elif what == "spelling":
        lines[1] = lines[1].replace(b'"concurrency":2', b'"concurrency": 2')
    elif what == "no JSON":
        lines[1] = b"hello\n"
    elif what == "no event":
        del lines[0]
    elif what == "another kind":
        lines[1] = lines[1].replace(b'"begun"', b'"begin"')
    return b"".join(lines)


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a value", 3),
        ("a line less", 2),
        ("a line more", 3),
        ("spelling", 2),
        ("no JSON", 2),
        ("no event", 1),
        ("another kind", 2),
    ],
)
def test_a_change_is_named_with_its_line_and_never_repaired(tmp_path: Path, what: str, line: int) -> None:
    path = tmp_path / "journal.jsonl"
    data = change(written(path, lines=4), what)
    path.write_bytes(data)
    for attempt in (read, Journal.reopen):
        with pytest.raises(JournalError) as caught:
            attempt(path)
        assert caught.value.line == line
        assert str(caught.value).startswith(f"{path}:{line}: ")
    assert path.read_bytes() == data


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with pytest.raises(JournalError, match="No such file"):
        read(path)
    written(path)
    with pytest.raises(JournalError, match="File exists"):
        Journal.create(path)
