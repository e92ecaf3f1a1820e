"""What can be wrong with a single line: every code of the families E0xx (bytes) and E1xx (schema), as data.

A code means the same for ever; messages may change, codes do not. Order of records, rules, shuffle and signatures
have families of their own and are not told apart here.
"""

from typing import Final, NamedTuple


class Code(NamedTuple):
    """What a code says: a title of a few words, and one paragraph for the person who has to mend the file."""

    title: str
    explanation: str


BYTES: Final[dict[str, Code]] = {
    "E001": Code(
        "invalid UTF-8",
        "A log is UTF-8. This line has bytes that are not: a truncated character, a surrogate, an overlong form or "
        "another encoding. The byte named is the first one that does not decode.",
    ),
    "E002": Code(
        "byte order mark",
        "The line starts with U+FEFF. A log has no byte order mark, not even in its first line; editors that add one "
        "change what is hashed.",
    ),
    "E003": Code(
        "carriage return",
        "The line has a carriage return (0x0D). Lines end in one LF; a file that went through a tool that turns line "
        "ends into CR LF no longer has the bytes that were sealed.",
    ),
    "E004": Code(
        "blank line",
        "The line is empty or holds only white space. Every line of a log is one record, and the last record is "
        "followed by exactly one LF.",
    ),
    "E005": Code(
        "line too long",
        "A line has at most 16384 bytes before its LF. A longer one is not read, whatever it holds, so that a hostile "
        "file cannot exhaust memory.",
    ),
    "E006": Code(
        "not JSON",
        "The line is not one JSON text: something is missing, left over or misspelled at the byte named. NaN and "
        "Infinity are not JSON either.",
    ),
    "E007": Code(
        "not an object",
        "The line is JSON, but not an object. Every line is one object with its kind under the key `_`.",
    ),
    "E008": Code(
        "white space",
        "There is white space outside a string. A record has one spelling only, without any, because the bytes "
        "themselves are hashed.",
    ),
    "E009": Code(
        "keys out of order",
        "The keys of an object stand in the order of their code points (`_` comes before every letter). Here a key "
        "comes before its predecessor.",
    ),
    "E010": Code(
        "duplicate key",
        "An object has the same key twice. Readers disagree about which one counts, so neither does.",
    ),
    "E011": Code(
        "key not allowed",
        "A key is `_`, or a lower-case letter followed by lower-case letters, digits and underscores.",
    ),
    "E012": Code(
        "needless escape",
        'A string escapes the quotation mark (\\") and the backslash (\\\\), and nothing else. Every other character '
        "that may stand in a string stands there as itself.",
    ),
    "E013": Code(
        "number spelling",
        "An integer has one spelling: no leading zero, no plus sign, and no minus sign before 0.",
    ),
    "E014": Code(
        "not an integer",
        "A number has a fraction or an exponent. A log holds integers only, since readers round and print floats "
        "differently.",
    ),
    "E015": Code(
        "integer out of range",
        "An integer is beyond 2^53 - 1 in size, where common JSON readers no longer keep it exact.",
    ),
    "E016": Code(
        "nested too deeply",
        "Objects and lists are nested at most 8 deep, the record itself included.",
    ),
    "E017": Code(
        "character not allowed",
        "A string has a character outside printable ASCII (U+0020 to U+007E). Only the display names of bots in the "
        "head may have others.",
    ),
    "E018": Code(
        "null not allowed",
        "A field that has no value is left out. Only the list of entropy has nulls, one for each player who gave none.",
    ),
    "E019": Code(
        "display name not allowed",
        "A display name is in Unicode normalization form C and has no control, format, surrogate, private-use or "
        "unassigned characters and no line or paragraph separators, because such names look like others or disturb "
        "terminals.",
    ),
    "E020": Code(
        "torn last line",
        "The file ends without an LF: its last line was cut off while it was written or copied. What stands before it "
        "can still be sound, but the file is not complete.",
    ),
}

SCHEMA: Final[dict[str, Code]] = {
    "E101": Code(
        "unknown record",
        "The kind of record under `_` is not one that this program knows. It may come from a newer format; a validator "
        "does not judge what it does not know.",
    ),
    "E102": Code(
        "unsupported format",
        "`fmt` in the head names a format that this program does not read.",
    ),
    "E103": Code(
        "unsupported edition",
        "`edition` in the head names an edition of the rules that this program does not play, so it cannot replay the "
        "match.",
    ),
    "E104": Code(
        "unsupported shuffle",
        "`shuffle` in the head names a shuffle that this program does not know, so it cannot check the cards.",
    ),
    "E105": Code(
        "no kind of record",
        "The object has no key `_`, or its value is not a string: there is no telling what the line records.",
    ),
    "E106": Code(
        "missing field",
        "A field that this record always has is not there. Fields that the game fills in (a stake, a price, what was "
        "shown) are optional in what a player sends and never in a log.",
    ),
    "E107": Code(
        "unknown field",
        "The record has a field that its kind does not have. Additions of one's own go under keys that start with "
        "`x_`, directly in the record.",
    ),
    "E108": Code(
        "wrong value",
        "A field has a value of the wrong type, out of its range, or not of its form.",
    ),
    "E109": Code(
        "extension not allowed here",
        "Keys that start with `x_` are not allowed in a seal, in a hidden line, or in a private record (`cards`, "
        "`discard`, `refused`), whose bytes must follow from the match alone.",
    ),
    "E110": Code(
        "wrong value of an extension",
        "The value of a key that starts with `x_` is an integer or a string.",
    ),
    "E111": Code(
        "`by` together with `ms`",
        "The referee acted for a silent seat (`by`), and yet the record says how long the player thought (`ms`). Only "
        "one of the two can be true.",
    ),
    "E112": Code(
        "`got` does not fit `code`",
        "A refused act is quoted in `got` exactly when `code` is a rule id. Codes of the protocol stand for messages "
        "that were no acts, and nothing of them is kept.",
    ),
    "E113": Code(
        "refused act with derived fields",
        "`got` quotes what a player sent. Fields that the game fills in, `by` and `ms` are no part of that.",
    ),
    "E114": Code(
        "time in a private record",
        "Private records carry no `ms`: a hidden line must not depend on a clock.",
    ),
    "E115": Code(
        "engine under clock none",
        "With clock `none` the file is a function of the match alone, so that two engines can write the same bytes; "
        "the name of the engine is therefore left out of the head.",
    ),
}

LINE_CODES: Final[dict[str, Code]] = BYTES | SCHEMA
"""Every code that `referee.log.reader.decode` can raise."""
