package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"5": 5, "2k": 2 << 10, "500M": 500 << 20, "8G": 8 << 30} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("parseSize(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "G", "-1", "0", "1T", "9999999999G"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("parseSize(%q) = %d, want an error", text, got)
		}
	}
}

// A hub starts with its flags, prints its address and its limit, and ends at a signal.
func TestRun(t *testing.T) {
	stop := make(chan os.Signal, 1)
	stop <- syscall.SIGTERM
	var out bytes.Buffer
	err := run([]string{"--dir", filepath.Join(t.TempDir(), "new"), "--listen", "127.0.0.1:0", "--store", "8M"}, &out, stop)
	if err != nil || !strings.Contains(out.String(), "listening on nats://127.0.0.1:") ||
		!strings.Contains(out.String(), "at most 8 MB") || !strings.Contains(out.String(), "are kept in") {
		t.Errorf("error %v, output:\n%s", err, out.String())
	}
	if err := run([]string{"extra"}, &out, stop); err == nil || !strings.Contains(err.Error(), "is not a flag") {
		t.Errorf("an argument that is no flag: %v", err)
	}
}

// The command concur has only the client: the server would more than double its size.
func TestConcurHasNoServer(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "../concur")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		if strings.HasPrefix(pkg, "github.com/nats-io/nats-server") {
			t.Errorf("concur imports %s", pkg)
		}
	}
	if !strings.Contains(string(out), "concur/runner/store\n") {
		t.Errorf("go list lists no package of concur:\n%s", out)
	}
}
