// Command note opens a seal of a log with the Go implementation of signed notes: a second opinion about
// referee/log/note.py. It prints the checkpoint and ends with 0, or prints why there is none and ends with 1.
//
//	note VKEY_FILE NOTE_FILE
package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: note VKEY_FILE NOTE_FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
}

func run(keyFile, noteFile string) error {
	vkey, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	message, err := os.ReadFile(noteFile)
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(strings.TrimSuffix(string(vkey), "\n"))
	if err != nil {
		return err
	}
	opened, err := note.Open(message, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	origin, size, root, err := parse(opened.Text)
	if err != nil {
		return err
	}
	fmt.Printf("origin %s\nlines %d\nroot %x\n", origin, size, root)
	for _, sig := range opened.Sigs {
		fmt.Printf("signed by %s+%08x\n", sig.Name, sig.Hash)
	}
	return nil
}

// parse reads a checkpoint: the origin, the size of the tree, its root, and no extension lines.
func parse(text string) (origin string, size uint64, root []byte, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[0] == "" || lines[3] != "" {
		return "", 0, nil, errors.New("a checkpoint has three lines")
	}
	size, err = strconv.ParseUint(lines[1], 10, 64)
	if err != nil || strconv.FormatUint(size, 10) != lines[1] {
		return "", 0, nil, errors.New("the size of the tree is no number")
	}
	root, err = base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != 32 {
		return "", 0, nil, errors.New("the root is no hash in base64")
	}
	return lines[0], size, root, nil
}
