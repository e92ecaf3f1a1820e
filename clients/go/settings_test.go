package toep

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func environment(changes map[string]string) func(string) string {
	return func(name string) string {
		if value, changed := changes[name]; changed {
			return value
		}
		return map[string]string{"TOEP_ADDRESS": "127.0.0.1:7777", "TOEP_BOT": "bob"}[name]
	}
}

func TestSettingsComeFromTheEnvironment(t *testing.T) {
	got, err := SettingsFrom(environment(nil))
	same(t, "few", []any{got, err}, []any{Settings{Address: "127.0.0.1:7777", Bot: "bob"}, error(nil)})
	got, err = SettingsFrom(environment(map[string]string{
		"TOEP_ADDRESS": "unix:/tmp/x", "TOEP_TOKEN": "s3cret", "TOEP_PARALLEL": "3", "TOEP_MATCHES": "5",
		"TOEP_RECONNECT_SECONDS": "60",
	}))
	want := Settings{Address: "unix:/tmp/x", Bot: "bob", Token: "s3cret", Parallel: 3, Matches: 5}
	want.Reconnect = time.Minute
	same(t, "all", []any{got, err}, []any{want, error(nil)})
	got, err = SettingsFrom(environment(map[string]string{"TOEP_TLS": "1"}))
	want = Settings{Address: "127.0.0.1:7777", Bot: "bob", TLS: true}
	same(t, "the system's roots", []any{got, err}, []any{want, error(nil)})
	got, err = SettingsFrom(environment(map[string]string{"TOEP_TLS_CA": "a", "TOEP_TLS_CERT": "b", "TOEP_TLS_KEY": "c"}))
	want = Settings{Address: "127.0.0.1:7777", Bot: "bob", TLS: true, TLSCA: "a", TLSCert: "b", TLSKey: "c"}
	same(t, "certificates", []any{got, err}, []any{want, error(nil)})
	got, err = SettingsFrom(environment(map[string]string{"TOEP_TLS": "0"}))
	same(t, "none", []any{got, err}, []any{Settings{Address: "127.0.0.1:7777", Bot: "bob"}, error(nil)})
}

func TestWrongSettingsAreNamed(t *testing.T) {
	for _, one := range [][3]string{
		{"TOEP_ADDRESS", "", "TOEP_ADDRESS is not set"},
		{"TOEP_ADDRESS", "localhost", "write host:port"},
		{"TOEP_ADDRESS", "localhost:0", "write host:port"},
		{"TOEP_ADDRESS", "localhost:65536", "write host:port"},
		{"TOEP_ADDRESS", ":7777", "write host:port"},
		{"TOEP_ADDRESS", "unix:", "write host:port"},
		{"TOEP_ADDRESS", "http://localhost:80", "write host:port"},
		{"TOEP_BOT", "", "TOEP_BOT is not set"},
		{"TOEP_BOT", "b\nb", "TOEP_BOT has characters"},
		{"TOEP_BOT", "b\x80b", "TOEP_BOT has characters"},
		{"TOEP_TOKEN", "s3cr\net", "TOEP_TOKEN must be printable ASCII"},
		{"TOEP_TOKEN", "s3crèt", "TOEP_TOKEN must be printable ASCII"},
		{"TOEP_PARALLEL", "many", `TOEP_PARALLEL="many" is no number`},
		{"TOEP_MATCHES", "0", `TOEP_MATCHES="0" is no number`},
		{"TOEP_MATCHES", "-1", "is no number"},
		{"TOEP_RECONNECT_SECONDS", "soon", `TOEP_RECONNECT_SECONDS="soon" is no number`},
		{"TOEP_TLS", "yes", `TOEP_TLS="yes" is neither 1`},
		{"TOEP_TLS_CERT", "a", "belong together"},
		{"TOEP_TLS_KEY", "a", "belong together"},
		{"TOEP_MATCHES", "99999999999", "is no number"},
	} {
		_, err := SettingsFrom(environment(map[string]string{one[0]: one[1]}))
		var setup *SetupError
		if !errors.As(err, &setup) || !strings.Contains(setup.Message, one[2]) || strings.Contains(setup.Message, "s3cr") {
			t.Errorf("%s=%q: %v", one[0], one[1], err)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for code, err := range map[int]error{
		ExitDone: nil, ExitLost: &LostError{"gone"}, ExitSetup: &SetupError{"wrong"}, ExitBot: &BotError{Value: 7},
		ExitInterrupted: fmt.Errorf("waiting: %w", context.Canceled),
	} {
		same(t, fmt.Sprint(err), ExitCode(err), code)
	}
	same(t, "a wrapped one", ExitCode(fmt.Errorf("so: %w", &SetupError{"wrong"})), ExitSetup)
	same(t, "a panic when interrupted", ExitCode(&BotError{Value: context.Canceled}), ExitBot)
}
