"""L0 and L1: bytes and schema."""

from collections.abc import Iterator

from tests.support.forge import lines
from tools.log_fixtures.base import INVALID, Check, Fixture
from tools.log_fixtures.changes import _at, _number, bad, insert, put, raw, record, spelled, within, within_without
from tools.log_fixtures.logs import lateness, plain, quiet, refusals, simultaneous
from tools.log_fixtures.more_logs import finale_ms, fold, toep
from tools.log_fixtures.play import sealed, spell, view


def bytes_logs() -> Iterator[Fixture]:
    """E0xx: one line is not spelled as it must be. Seals are over the bytes as they stand."""
    log = quiet()
    bot = b'"bot":"bot 0"'
    for name, new in (
        ("byte", b"\xff"),
        ("overlong", b"\xc0\xaf"),
        ("surrogate", b"\xed\xa0\x80"),
        ("latin1", b"\xe9"),
    ):
        yield bad(f"E001-{name}", "A display name with bytes that are not UTF-8.", log,
            spelled("head", bot, b'"bot":"b' + new + b't"'))  # fmt: skip
    yield bad(
        "E002-first-line",
        "A byte order mark at the beginning of the file.",
        log,
        spelled("head", b"{", b"\xef\xbb\xbf{"),
    )
    yield bad(
        "E002-later-line", "A byte order mark before another line.", log, spelled("round", b"{", b"\xef\xbb\xbf{")
    )
    yield bad("E003-line", "A carriage return at the end of one line.", log, spelled("void", b"}", b"}\r"))
    yield raw("E003-file", "Every line ends in CR LF.", sealed([spell(one) + b"\r" for one in lines(log)]), 1)
    yield bad("E004-empty", "An empty line between two records.", log, insert("void", b""))
    yield bad("E004-space", "A line with two spaces and a tab.", log, insert("void", b"  \t"))
    yield raw("E004-end", "An empty line at the end of the file.", log + b"\n", log.count(b"\n") + 1)
    long = {**lines(log)[_at([*lines(log)], "round")], "x_note": ""}
    long["x_note"] = "a" * (16385 - len(spell(long)))
    yield bad("E005-one-byte", "A line of 16385 bytes.", log, put("round", **long))
    yield raw("E005-no-end", "A last line of 20000 bytes that is cut off is too long, and not only torn.",
        log + b'{"_":"play","x_note":"' + b"a" * 20000, log.count(b"\n") + 1)  # fmt: skip
    for name, old, new, about in (
        ("comma", b'"why":"cancelled"', b'"why":"cancelled",', "A comma before the closing brace."),
        ("cut", b'"}', b'"', "The closing brace is missing."),
        ("two", b"}", b"}{}", "A second object in the same line."),
        ("nan", b'"cancelled"', b"NaN", "NaN."),
        ("quotes", b'"cancelled"', b"'cancelled'", "Other quotation marks."),
    ):
        yield bad(f"E006-{name}", f"Not JSON: {about}", log, spelled("void", old, new))
    yield bad("E007-list", "A line that is a list.", log, insert("void", b"[]"))
    yield bad("E007-string", "A line that is a string.", log, insert("void", b'"void"'))
    yield bad("E008-colon", "A space after a colon.", log, spelled("void", b'"_":', b'"_": '))
    yield bad("E008-end", "A space at the end of a line.", log, spelled("void", b'"}', b'"} '))
    yield bad("E008-front", "A space before a record.", log, spelled("void", b"{", b" {"))
    yield bad("E009-kind", "The kind of record does not stand first.", log,
        spelled("void", b'"_":"void","why":"cancelled"', b'"why":"cancelled","_":"void"'))  # fmt: skip
    yield bad(
        "E009-inner",
        "Two options of the rules have changed places.",
        log,
        spelled("head", b'"armoede":false,"armoede_leads":false', b'"armoede_leads":false,"armoede":false'),
    )
    yield bad("E010-same", "A key twice, with the same value.", log,
        spelled("void", b'"why":"cancelled"', b'"why":"cancelled","why":"cancelled"'))  # fmt: skip
    yield bad("E010-other", "A key twice, with two values.", log,
        spelled("void", b'"why":"cancelled"', b'"why":"crash","why":"cancelled"'))  # fmt: skip
    yield bad("E011-capital", "A key with a capital letter.", log, spelled("void", b'"why"', b'"Why"'))
    yield bad("E011-empty", "A key without characters.", log, spelled("void", b'"}', b'","":1}'))
    yield bad("E011-dash", "A key with a hyphen.", log, spelled("void", b'"}', b'","x-y":1}'))
    yield bad(
        "E012-unicode", "A letter is written as an escape.", log, spelled("void", b"cancelled", b"c\\u0061ncelled")
    )
    yield bad("E012-slash", "A slash is escaped.", log, spelled("head", b"toep/0", b"toep\\/0"))
    yield bad("E012-newline", "A line feed is written as an escape, in an extension.", log,
        spelled("void", b'"}', b'","x_note":"a\\nb"}'))  # fmt: skip
    for name, text in (("zero", b"01"), ("plus", b"+1"), ("minus-zero", b"-0")):
        yield bad(f"E013-{name}", f"A number is written as {text.decode()}.", log,
            spelled("round", b'"dealer":0', b'"dealer":' + text))  # fmt: skip
    for name, text in (("point", b"1.0"), ("exponent", b"1e0")):
        yield bad(f"E014-{name}", f"A number is written as {text.decode()}.", log,
            spelled("round", b'"round":1', b'"round":' + text))  # fmt: skip
    for name, text in (("above", b"9007199254740992"), ("below", b"-9007199254740992"), ("long", b"9" * 400)):
        yield bad(f"E015-{name}", "An extension with an integer that is too large in size.", log,
            spelled("round", b'"try":1', b'"try":1,"x_n":' + text))  # fmt: skip
    yield bad(
        "E016-nine", "Nine levels of nesting.", log, spelled("void", b'"}', b'","x_n":' + b"[" * 8 + b"]" * 8 + b"}")
    )
    for name, char in (
        ("accent", "\N{LATIN SMALL LETTER E WITH ACUTE}"),
        ("delete", "\x7f"),
        ("tab", "\t"),
        ("nul", "\0"),
    ):
        yield bad(f"E017-{name}", "An extension with a character beyond printable ASCII.", log,
            spelled("void", b'"}', f'","x_note":"{char}"}}'.encode()))  # fmt: skip
    yield bad("E018-field", "A field with null for a value.", log, spelled("void", b'"cancelled"', b"null"))
    yield bad("E018-head", "An optional field with null for a value.", log,
        spelled("head", b'"fmt"', b'"event":null,"fmt"'))  # fmt: skip
    for name, char, what in (
        ("decomposed", "e\N{COMBINING ACUTE ACCENT}", "a letter and an accent that have one character together"),
        ("joiner", "a\N{ZERO WIDTH JOINER}b", "a zero width joiner"),
        ("override", "\N{RIGHT-TO-LEFT OVERRIDE}tob", "an override of the direction of writing"),
        ("private", "\ue000", "a character for private use"),
        ("escape", "\x1b[31m", "a control character"),
        ("separator", "a\N{LINE SEPARATOR}b", "a line separator"),
    ):
        yield bad(f"E019-{name}", f"A display name with {what}.", log, spelled("head", bot, f'"bot":"{char}"'.encode()))


def schema_logs() -> Iterator[Fixture]:
    """E1xx: one line is no record of this format."""
    log = quiet()
    toeped = toep()
    refused = refusals()
    yield bad("E105-none", "An object without a kind.", log, insert("void", b'{"seat":0}'))
    yield bad("E105-number", "A kind that is a number.", log, insert("void", b'{"_":1,"seat":0}'))
    yield bad("E105-empty", "An object without fields.", log, insert("void", b"{}"))
    yield bad("E106-card", "A card is played, and not said which.", toeped, put("play", card=None))
    yield bad("E106-stake", "A toep without the stake, which a player need not send but a log has.", toeped,
        put("toep", stake=None))  # fmt: skip
    yield bad("E106-pay", "A fold without its price.", fold(), put("fold", pay=None))
    yield bad("E106-salt", "A private record without a salt.", log, put("cards", salt=None))
    yield bad("E106-option", "A rule set without one of its options.", log, within_without("rules", "toep_who"))
    yield bad("E106-conduct", "A conduct without one of its values: there are no defaults in a log.", log,
        within_without("conduct", "tries"))  # fmt: skip
    yield bad("E107-field", "A field that the record does not have.", log, put("void", seat=0))
    yield bad("E107-option", "An option that the rules do not have.", log, within("head", "rules", jokers=True))
    yield bad("E107-inner-x", "An extension within an object in a record.", log, within("head", "conduct", x_note=1))
    yield bad("E107-cards-ms", "A time in a record that is no act.", log, put("cards", ms=1))
    for name, tag, fields, about in (
        ("seat", "late", {"seat": 8}, "A seat beyond the eighth."),
        ("negative-seat", "late", {"seat": -1}, "A seat below zero."),
        ("why", "late", {"verdict": "player"}, "A word that the field cannot have."),
    ):
        yield bad(f"E108-{name}", about, lateness("none"), put(tag, **fields))
    yield bad("E108-card", "A card that is not in the pack.", plain(), put("play", card="6h"))
    yield bad("E108-card-case", "A card in other letters.", plain(), put("play", card="TH"))
    yield bad("E108-string", "A number as a string.", log, put("round", dealer="0"))
    yield bad("E108-bool", "A number that is true.", log, put("round", round=True))
    yield bad("E108-stake", "A stake beyond 99.", toeped, put("toep", stake=100))
    yield bad("E108-salt", "A salt in capital letters.", log, put("cards", salt="AB" * 16))
    yield bad("E108-commit", "A commitment that is a digit short.", log, put("head", commit="0" * 63))
    yield bad("E108-match", "A match id with a space.", log, put("head", match="my match"))
    yield bad("E108-root", "A root whose last character has bits that do not count.", log,
        put("seal", root="A" * 42 + "B="), keep=(1,))  # fmt: skip
    yield bad("E108-limit", "A limit beyond 99.", log, within("head", "rules", limit=100))
    yield bad("E108-one-seat", "A match of one seat.", log, put("head", seats=[{"bot": "a"}]))
    yield bad(
        "E108-long-name", "A display name of 65 characters.", log, put("head", seats=[{"bot": "a" * 65}, {"bot": "b"}])
    )
    yield bad("E108-no-rounds", "A match of no rounds.", log, put("head", length={"rounds": 0}))
    yield bad(
        "E108-got-seat",
        "The refused act of another seat.",
        refused,
        lambda records: put(
            "refused", got={**record(records, "refused")["got"], "seat": 1 - record(records, "refused")["seat"]}
        )(records),
    )
    yield bad("E109-cards", "An extension in a private record.", log, put("cards", x_note=1))
    yield bad("E109-seal", "An extension in a seal.", log, put("seal", x_note=1))
    yield bad("E109-refused", "An extension in a refused act.", refused, put("refused", x_note=1))
    yield Fixture("invalid/E109-hidden.toep", "An extension in a hidden line.",
        view(log, None).replace(b'="}\n', b'=","x_note":1}\n', 1), (Check(INVALID, "E109", 4),))  # fmt: skip
    for name, text in (("bool", "true"), ("list", "[1]"), ("object", '{"x_a":1}')):
        yield bad(f"E110-{name}", "An extension that is neither an integer nor a string.", log,
            spelled("void", b'"}', f'","x_note":{text}}}'.encode()))  # fmt: skip
    yield bad("E111-act", "An act of the referee with a time of the player.", lateness("ms"), lambda records: put(
        "play", _number(records, "play", by="ref"), ms=3)(records))  # fmt: skip
    yield bad("E112-no-got", "A refusal by a rule that does not say what was refused.", refused,
        lambda records: put("refused", _number(records, "refused", code="R-CARD-01"), got=None)(records))  # fmt: skip
    yield bad(
        "E112-got",
        "A refusal by a code of the protocol that says what was refused.",
        refused,
        lambda records: (
            put("refused", _number(records, "refused", code="malformed"), got={"_": "toep", "seat": 0})(records)
            if record(records, "refused")["seat"] == 0
            else put("refused", _number(records, "refused", code="malformed"), got={"_": "toep", "seat": 1})(records)
        ),
    )
    sealed_log = simultaneous()
    yield bad("E113-stake", "A refused toep with the stake that it would have led to.", sealed_log,
        put("refused", got={"_": "toep", "seat": 3, "stake": 3}))  # fmt: skip
    yield bad("E113-by", "A refused act of the referee.", sealed_log,
        put("refused", got={"_": "toep", "by": "ref", "seat": 3}))  # fmt: skip
    yield bad(
        "E113-ms", "A refused act with a time.", sealed_log, put("refused", got={"_": "toep", "ms": 1, "seat": 3})
    )
    yield bad("E114-discard", "A time in a discard, which is private.", finale_ms(), put("discard", ms=1))
    yield bad("E115-engine", "The engine is named, though there is no clock.", log, put("head", engine="referee 1"))
