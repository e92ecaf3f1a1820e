"""Make the log fixtures of fixtures/log anew, to see how each of them came about.

    python -m tools.log_fixtures FOLDER

FOLDER is made, or is empty: nothing is ever overwritten, and the committed files least of all. Every run makes the same
bytes (of compressed logs: the same content). What is expected of each file is stated here, next to how it is made, and
never asked from the validator: `tests/validate/test_log_fixtures.py` compares the two.

Cards follow from a seed, so a log with certain cards is found by trying match ids one after the other.
"""

import argparse
import json
import sys
from pathlib import Path

from tools.log_fixtures.base import KEY, Fixture, Pair
from tools.log_fixtures.forks import fork_pairs, forks
from tools.log_fixtures.invalid import invalid_logs
from tools.log_fixtures.other import incomplete_logs, unreadable_logs, unsupported_logs
from tools.log_fixtures.valid import valid_logs


def make() -> tuple[list[Fixture], list[Pair]]:
    """Everything there is to make."""
    groups = (valid_logs, incomplete_logs, unsupported_logs, unreadable_logs, invalid_logs)
    return [fixture for group in groups for fixture in group()], [*fork_pairs()]


def write(folder: Path) -> int:
    """Make every file in a folder that is empty or does not exist; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty, and nothing is overwritten")
    fixtures, pairs = make()
    files = {fixture.file: fixture.data for fixture in fixtures} | dict(forks())
    verify = [check.fields(fixture.file, fixture.about) for fixture in fixtures for check in fixture.checks]
    verify.sort(key=lambda entry: (entry["file"], *sorted(entry.get("options", {}))))
    expected = {"fork": [pair.fields() for pair in pairs], "verify": verify}
    files["expectations.json"] = json.dumps(expected, indent=1, ensure_ascii=True).encode() + b"\n"
    files["test-key.pub"] = KEY.vkey.encode() + b"\n"
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return len(files)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a new or empty folder")
    args = parser.parse_args(argv)
    try:
        made = write(args.folder)
    except OSError as error:
        print(f"log_fixtures: {error}", file=sys.stderr)
        return 2
    print(f"log_fixtures: {made} files in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
