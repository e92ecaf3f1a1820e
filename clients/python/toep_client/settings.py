"""How a bot process is told where to play: environment variables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from toep_client.errors import USAGE, Trouble

ADDRESS: Final = "TOEP_ADDRESS"
BOT: Final = "TOEP_BOT"
TOKEN: Final = "TOEP_TOKEN"  # noqa: S105 - the name of a variable
PARALLEL: Final = "TOEP_PARALLEL"
MATCHES: Final = "TOEP_MATCHES"
RECONNECT: Final = "TOEP_RECONNECT_SECONDS"
TRANSCRIPTS: Final = "TOEP_TRANSCRIPTS"
TLS: Final = "TOEP_TLS"
TLS_CA: Final = "TOEP_TLS_CA"
TLS_CERT: Final = "TOEP_TLS_CERT"
TLS_KEY: Final = "TOEP_TLS_KEY"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where and as whom a bot plays.

    ``address`` is ``host:port`` or ``unix:path``; ``bot`` the name that matches were created with; ``token`` a secret
    that is sent to the referee and shown nowhere; ``parallel`` overrides the bot's own; ``matches`` is after how many
    finished matches the bot leaves, None for never; ``transcripts`` a folder where the bot keeps what it saw and said;
    ``reconnect`` for how many seconds a bot that has lost its referee tries to get back to it, 0 for not at all.

    ``tls``: the stream is encrypted, and the referee's certificate checked against the authority in the file
    ``tls_ca``, None: against those that the system trusts. ``tls_cert`` and ``tls_key`` are the files of the bot's own
    certificate, for a referee that wants one.
    """

    address: str
    bot: str
    token: str | None = field(default=None, repr=False)
    parallel: int | None = None
    matches: int | None = None
    transcripts: str | None = None
    reconnect: int = 0
    tls: bool = False
    tls_ca: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Settings":
        """Reads the variables. Raises `Trouble` with a line that says which one to mend and how."""
        address = _needed(environ, ADDRESS, "the referee's address, such as 127.0.0.1:7777 or unix:/tmp/toep.sock")
        if not address.startswith("unix:"):
            host, _, port = address.rpartition(":")
            if not host or "/" in host or not port.isascii() or not port.isdigit() or not 1 <= int(port) <= 65535:
                raise Trouble(USAGE, f"{ADDRESS}={address!r} is no address: write host:port or unix:path")
        bot = _needed(environ, BOT, "the bot's name, the one that the match was created with")
        if not bot.isprintable():
            raise Trouble(USAGE, f"{BOT} has characters that cannot be printed")
        token = environ.get(TOKEN) or None
        if token is not None and not (token.isascii() and token.isprintable()):
            raise Trouble(USAGE, f"{TOKEN} must be printable ASCII")
        switch, ca = environ.get(TLS, ""), environ.get(TLS_CA) or None
        cert, key = environ.get(TLS_CERT) or None, environ.get(TLS_KEY) or None
        if switch not in ("", "0", "1"):
            raise Trouble(USAGE, f"{TLS}={switch!r} is neither 1 (encrypt) nor 0")
        if (cert is None) != (key is None):
            raise Trouble(USAGE, f"{TLS_CERT} and {TLS_KEY} belong together: set both")
        tls = switch == "1" or (switch == "" and (ca is not None or cert is not None))
        if not tls and (ca is not None or cert is not None):
            raise Trouble(
                USAGE, f"{TLS}=0 says that nothing is encrypted, but there are certificates: unset one of them"
            )
        return cls(
            address=address,
            bot=bot,
            token=token,
            parallel=_number(environ, PARALLEL),
            matches=_number(environ, MATCHES),
            transcripts=environ.get(TRANSCRIPTS) or None,
            reconnect=_number(environ, RECONNECT) or 0,
            tls=tls,
            tls_ca=ca,
            tls_cert=cert,
            tls_key=key,
        )


def _needed(environ: Mapping[str, str], name: str, meaning: str) -> str:
    value = environ.get(name, "")
    if not value:
        raise Trouble(USAGE, f"{name} is not set: give it {meaning}")
    return value


def _number(environ: Mapping[str, str], name: str) -> int | None:
    text = environ.get(name, "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 9 or int(text) < 1:
        raise Trouble(USAGE, f"{name}={text!r} is no number: write 1 or more")
    return int(text)
