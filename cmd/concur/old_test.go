package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/playbook"
)

// TestFilesOfAnOlderConcur reads what the concur of commit ec323664 wrote: a run folder, a baseline, a playbook, a memory
// and a configuration.
func TestFilesOfAnOlderConcur(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "ec323664"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	const old = "20261127T231622-queries-7f22764e"
	data, err := os.ReadFile("playbook.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b, err := playbook.Parse("playbook.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	const hash = "sha256:0c0a8339e70769fadca4fcfb4e6666052765fa7566cc2668405b1fc511129bf4" // of the older concur
	if again, err := b.Bytes(); b.Hash() != hash || string(again) != string(data) {
		t.Errorf("the playbook has the hash %s, want %s, and is written as\n%s%v", b.Hash(), hash, again, err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string // on standard output or standard error
	}{
		{[]string{"report", old}, exitOK, "offline:reader is right on 2 of 2 queries"},
		{[]string{"trace", old, "power"}, exitOK, "4096"},
		{[]string{"run", "queries.yaml", "--replay", old, "--check", "--quiet"}, exitOK, "all 2 verdicts equal the recording"},
		{[]string{"run", "queries.yaml", "--resume", old}, exitUsage, "norm norm/v6"},
		{[]string{"rejudge", old, "--quiet"}, exitOK, "2/2"},
		{[]string{"export", old, "--format", "votes"}, exitOK, "power"},
		{[]string{"gate", old, "--yes"}, exitUsage, "its answers were read and voted on under norm/v6"},
		{[]string{"baseline", "show"}, exitOK, "sum    calculation   10/10"},
		{[]string{"run", "--seed", "7", "--quiet"}, exitOK, "2/2"},
		{[]string{"gate", "latest", "--yes", "--quiet"}, exitOK, "PASS"},
		{[]string{"memory", "list"}, exitOK, "Doctor Lang"},
		{[]string{"playbook", "show", "playbook.yaml"}, exitOK, "pit-00004"},
	} {
		code, out, errs := invoke(c.args...)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("concur %s: exit %d, want %d with %q:\n%s%s", strings.Join(c.args, " "), code, c.code, c.says, out, errs)
		}
	}
}
