package toep

import (
	"net"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Settings say where and as whom a bot plays.
type Settings struct {
	// Address is the referee's host:port, or unix:path.
	Address string
	// Bot is the bot's name, as in the matches that it is to play.
	Bot string
	// Token proves who the bot is, where the referee asks for it.
	Token string
	// Parallel is how many asks the bot works on at once; 0 leaves that to the bot's [Options].
	Parallel int
	// Matches is after how many matches the bot leaves; with 0 it stays until the referee closes.
	Matches int
	// Reconnect is how long a bot that has lost its referee tries to get back to it; with 0 it does not.
	Reconnect time.Duration
	// TLS encrypts the connection, and has the referee's certificate checked.
	TLS bool
	// TLSCA is a file with the authority that signed that certificate; if empty, those that the system trusts count.
	TLSCA string
	// TLSCert and TLSKey are the files of the bot's own certificate, for a referee that wants one.
	TLSCert, TLSKey string
}

// SettingsFrom reads the settings from an environment, such as [os.Getenv]:
//
//   - TOEP_ADDRESS: the referee's host:port, or unix:path
//   - TOEP_BOT: the bot's name
//   - TOEP_TOKEN: optional, sent as a bearer token
//   - TOEP_PARALLEL: optional, how many asks the bot works on at once
//   - TOEP_MATCHES: optional, leave after that many matches
//   - TOEP_RECONNECT_SECONDS: optional, how long a bot that has lost its referee tries to get back to it
//   - TOEP_TLS_CA: optional, encrypt, and trust the authority in this file
//   - TOEP_TLS: optional, 1 encrypts with the authorities that the system trusts
//   - TOEP_TLS_CERT, TOEP_TLS_KEY: optional, the bot's own certificate
//
// The error is a [*SetupError] that names the variable to mend.
func SettingsFrom(getenv func(string) string) (Settings, error) {
	settings := Settings{Address: getenv("TOEP_ADDRESS"), Bot: getenv("TOEP_BOT"), Token: getenv("TOEP_TOKEN")}
	switch {
	case settings.Address == "":
		return Settings{}, setupf("TOEP_ADDRESS is not set: give it the referee's address, such as 127.0.0.1:7777")
	case !isAddress(settings.Address):
		return Settings{}, setupf("TOEP_ADDRESS=%q is no address: write host:port or unix:path", settings.Address)
	case settings.Bot == "":
		return Settings{}, setupf("TOEP_BOT is not set: give it the bot's name, the one that the match was created with")
	case !utf8.ValidString(settings.Bot) || oneLine(settings.Bot) != settings.Bot:
		return Settings{}, setupf("TOEP_BOT has characters that cannot be printed")
	case strings.ContainsFunc(settings.Token, func(r rune) bool { return r < ' ' || r > '~' }):
		return Settings{}, setupf("TOEP_TOKEN must be printable ASCII")
	}
	var err error
	if settings.Parallel, err = count(getenv, "TOEP_PARALLEL"); err != nil {
		return Settings{}, err
	}
	if settings.Matches, err = count(getenv, "TOEP_MATCHES"); err != nil {
		return Settings{}, err
	}
	seconds, err := count(getenv, "TOEP_RECONNECT_SECONDS")
	if err != nil {
		return Settings{}, err
	}
	settings.Reconnect = time.Duration(seconds) * time.Second
	if err = secure(getenv, &settings); err != nil {
		return Settings{}, err
	}
	return settings, nil
}

// secure reads the settings that are about encryption.
func secure(getenv func(string) string, settings *Settings) error {
	wanted := getenv("TOEP_TLS")
	settings.TLSCA, settings.TLSCert, settings.TLSKey = getenv("TOEP_TLS_CA"), getenv("TOEP_TLS_CERT"), getenv("TOEP_TLS_KEY")
	files := settings.TLSCA != "" || settings.TLSCert != ""
	switch {
	case wanted != "" && wanted != "0" && wanted != "1":
		return setupf("TOEP_TLS=%q is neither 1 (encrypt) nor 0", wanted)
	case (settings.TLSCert == "") != (settings.TLSKey == ""):
		return setupf("TOEP_TLS_CERT and TOEP_TLS_KEY belong together: set both")
	case wanted == "0" && files:
		return setupf("TOEP_TLS=0 says that nothing is encrypted, but there are certificates: unset one of them")
	}
	settings.TLS = wanted == "1" || files
	return nil
}

func isAddress(address string) bool {
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return path != ""
	}
	host, text, err := net.SplitHostPort(address)
	port, wrong := strconv.ParseUint(text, 10, 16)
	return err == nil && wrong == nil && host != "" && !strings.Contains(host, "/") && port > 0
}

func count(getenv func(string) string, name string) (int, error) {
	text := getenv(name)
	if text == "" {
		return 0, nil
	}
	number, err := strconv.ParseUint(text, 10, 30)
	if err != nil || number == 0 {
		return 0, setupf("%s=%q is no number: write 1 or more", name, text)
	}
	return int(number), nil
}

// oneLine makes text from elsewhere fit for one line of a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
