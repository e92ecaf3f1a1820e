"""Level L5: the tree, seals and signatures."""

from typing import Final

from referee.validate.pages.page import Page

SEALS: Final[dict[str, Page]] = {
    "E501": Page(
        "wrong number of lines in a seal",
        "`n` in a seal is the number of lines before it. Lines are missing, or some were added.",
        "L5",
    ),
    "E502": Page(
        "wrong root",
        "The root in this seal is not that of the lines before it: since it was made, one of them has been changed.",
        "L5",
    ),
    "E503": Page(
        "seal not signed", "The head names the referee's key, and then every seal carries its signature.", "L5"
    ),
    "E504": Page(
        "more than one signature",
        "A seal carries the referee's signature only; those of players come in a file of their own.",
        "L5",
    ),
    "E505": Page(
        "not a key",
        "The key in the head is no Ed25519 key in the form that signed notes use, NAME+ID+BASE64, so it could have "
        "signed nothing.",
        "L5",
    ),
    "E506": Page(
        "another key",
        "Whoever checks the log gave the key that must have signed it. The head names another one, or none: this log "
        "is not by whom it is said to be by.",
        "L5",
    ),
    "E507": Page("signed by another key", "The name or the id in the signature is not that of the head's key.", "L5"),
    "E508": Page(
        "wrong signature",
        "The signature is not that of the head's key over this match, this number of lines and this root.",
        "L5",
    ),
    "E509": Page("malformed signature", "What stands there cannot be an Ed25519 signature of a signed note.", "L5"),
    "E510": Page("signature without a key", "The seal is signed, but the head names no key to check it with.", "L5"),
}
