"""The kit as one archive, for people who have nothing else of this project."""

import gzip
import hashlib
import io
import json
import tarfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from referee.conformance.engine import PROTOCOL
from referee.conformance.kit import KitError, engine_items, validator_items
from referee.log.records import EDITION, FORMAT

PARTS: Final = ("cases", "counts", "deals", "log")
MANIFEST: Final = "manifest.json"


def kit_version() -> str:
    """The version of the kit: that of the package it came with."""
    try:
        return version("toep")
    except PackageNotFoundError:
        return "0"


def export(kit: Path, folder: Path) -> Path:
    """Write ``toep-conformance-VERSION.tar.gz`` into a folder, the same bytes for the same kit; returns its path.

    Raises `KitError` for a kit that is damaged, and `OSError`; an archive that is there already is not overwritten.
    """
    name = f"toep-conformance-{kit_version()}"
    files = {path.relative_to(kit).as_posix(): path.read_bytes() for path in _files(kit)}
    if not files:
        raise KitError(f"{kit}: there is nothing to export")
    files[MANIFEST] = manifest(kit, files)
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for path in sorted(files):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(files[path])
            archive.addfile(entry, io.BytesIO(files[path]))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}.tar.gz"
    with open(target, "xb") as file:
        file.write(packed.getvalue())
    return target


def _files(kit: Path) -> list[Path]:
    return sorted(path for part in PARTS for path in (kit / part).rglob("*") if path.is_file())


def manifest(kit: Path, files: dict[str, bytes]) -> bytes:
    """What is in the archive: every file by its hash, every question by its level, tiers and rules."""
    items = {item.id: item for item in (*engine_items(kit), *validator_items(kit))}
    document = {
        "name": "toep-conformance",
        "version": kit_version(),
        "protocol": PROTOCOL,
        "format": FORMAT,
        "edition": EDITION,
        "files": {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())},
        "items": [
            {"id": item.id, "level": item.level, "tiers": item.tiers, "refs": item.refs}
            for item in sorted(items.values(), key=lambda item: item.id)
        ],
    }
    return json.dumps(document, indent=1).encode() + b"\n"
