"""Options that several commands share, read the same way everywhere."""

import argparse
import json
import re
from pathlib import Path
from typing import Final

from referee.cli.exits import CommandError
from referee.log.keyfile import KeyFileError, read_key
from referee.log.note import KeyTextError, Signer, Verifier
from referee.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS, Ruleset, RulesetError, Value, resolve

SEED: Final = re.compile(r"[0-9a-f]{64}")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """``--rules`` and ``--set``."""
    parser.add_argument(
        "--rules", default=DEFAULT_PRESET, metavar="RULES", help=f"{', '.join(PRESETS)}, or a JSON object of options"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change an option of the rules"
    )


def rules_from(args: argparse.Namespace) -> Ruleset:
    """The rule set that ``--rules`` and ``--set`` mean; raises `CommandError`."""
    spec = read_spec(args.rules)
    for text in args.set:
        name, sign, value = text.partition("=")
        if not sign or name == "preset":
            raise CommandError(f"--set {text}: write OPTION=VALUE; options: {', '.join(OPTIONS)}")
        spec[name] = _value(value)
    try:
        return resolve(spec)
    except RulesetError as error:
        raise CommandError(str(error)) from None


def read_spec(text: str) -> dict[str, object]:
    """A preset's name, or a JSON object of options; raises `CommandError` for what is neither."""
    if not text.lstrip().startswith("{"):
        return {"preset": text}
    try:
        spec: dict[str, object] = json.loads(text)
    except ValueError as error:
        raise CommandError(f"--rules: not a JSON object: {error}") from None
    return spec


def _value(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdecimal() else text


def read_seed(args: argparse.Namespace) -> bytes | None:
    """The seed of ``--seed`` (declared, public) or ``--seed-file`` (secret); None when neither was given."""
    if args.seed is not None and args.seed_file is not None:
        raise CommandError("--seed is a declared seed and --seed-file a secret one: give one of them")
    if args.seed is not None:
        return parse_seed(args.seed, "--seed")
    if args.seed_file is not None:
        return seed_of_file(args.seed_file)
    return None


def seed_of_file(path: Path, source: str = "") -> bytes:
    """The secret seed in a file; the message of a `CommandError` never shows it."""
    source = source or f"--seed-file {path}"
    try:
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise CommandError(f"{source}: {reason}") from None
    return parse_seed(text, source)


def parse_seed(text: str, source: str) -> bytes:
    """32 bytes from 64 hex digits."""
    if not SEED.fullmatch(text.lower()):
        raise CommandError(f"{source}: a seed is 64 hex digits")
    return bytes.fromhex(text)


def add_key(parser: argparse.ArgumentParser) -> None:
    """``--key``."""
    parser.add_argument("--key", type=Path, metavar="FILE", help="sign logs with this private key (see toep keygen)")


def key_from(args: argparse.Namespace) -> Signer | None:
    """The private key of ``--key``, or None; the message of a `CommandError` never shows it."""
    try:
        return None if args.key is None else read_key(args.key)
    except KeyFileError as error:
        raise CommandError(f"--key {error}") from None


def read_vkey(text: str) -> str:
    """A public key from the command line, or from a file; raises `CommandError` for what is none."""
    if "+" not in text or Path(text).is_file():
        try:
            text = Path(text).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            raise CommandError(f"--key {text}: {why}") from None
    try:
        return Verifier(text).vkey
    except KeyTextError as error:
        raise CommandError(f"--key: {error}") from None
