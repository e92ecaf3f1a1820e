"""An event as it lies on disk: its spec, its schedule and its journal, read together."""

from pathlib import Path
from typing import NamedTuple

from referee.tournament.errors import TournamentError
from referee.tournament.folder import Folder
from referee.tournament.journal import Entry, read
from referee.tournament.ledger import Ledger
from referee.tournament.schedule import Schedule, make_schedule
from referee.tournament.spec import parse_spec
from referee.tournament.spec_types import Spec


class NoEventError(TournamentError):
    """A folder without an event."""


class Event(NamedTuple):
    """What there is to know of an event besides its logs."""

    folder: Folder
    spec: Spec
    schedule: Schedule
    entries: list[Entry]
    """The lines of its journal."""
    ledger: Ledger
    """How it stands after them."""


def open_event(path: Path) -> Event:
    """The event in a folder, also while a director works on it. Raises `TournamentError`, `JournalError`."""
    folder = Folder(path)
    if not folder.is_event():
        raise NoEventError(f"{path}: there is no event here (no {folder.journal.name})")
    try:
        data = folder.spec.read_bytes()
    except OSError as error:
        raise NoEventError(f"{folder.spec}: {error.strerror}") from None
    spec = parse_spec(data, folder.spec)
    schedule = make_schedule(spec)
    entries = read(folder.journal)
    ledger = Ledger(schedule).follow(folder.journal, entries)
    return Event(folder, spec, schedule, entries, ledger)
