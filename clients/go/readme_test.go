package toep

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheBotOfTheReadmeIsTheExample(t *testing.T) {
	bot := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(read(t, "README.md"))
	if bot == nil {
		t.Fatal("README.md shows no bot")
	}
	example := read(t, "example_test.go")
	example, _, _ = strings.Cut(example, "\n// This bot")
	same(t, "the bot", bot[1], strings.Replace(example, "package toep_test", "package main", 1))
}

// A bot of one's own, made as README.md says.
func TestABotInAFolderOfItsOwn(t *testing.T) {
	client, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program := strings.Replace(read(t, "example_test.go"), "package toep_test", "package main", 1)
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("(?s)```sh\n(go mod init.*?)```").FindStringSubmatch(read(t, "README.md"))
	if said == nil {
		t.Fatal("README.md does not say how to make a bot")
	}
	script := strings.ReplaceAll(said[1], "PATH/TO/clients/go", client)
	command := exec.CommandContext(t.Context(), "sh", "-ec", script)
	command.Dir = folder
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}
