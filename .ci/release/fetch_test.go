package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFetch: the script of the action installs a binary only if its archive has the right digest.
func TestFetch(t *testing.T) {
	for _, program := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing: %v", program, err)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("the binary is a shell script")
	}
	r, _ := newRelease(t)
	name := "concur-v1.2.3-" + runtime.GOOS + "-" + runtime.GOARCH
	archive, err := tarball([]file{
		{name: name + "/concur", content: []byte("#!/bin/sh\necho \"concur v1.2.3\"\n"), executable: true},
	}, r.time, 0)
	if err != nil {
		t.Fatal(err)
	}
	digest := digestOf(archive)
	sums := digest + "  " + name + ".tar.gz\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/good/" + name + ".tar.gz", "/changed/" + name + ".tar.gz", "/unlisted/" + name + ".tar.gz":
			_, _ = w.Write(archive)
		case "/good/SHA256SUMS":
			fmt.Fprint(w, sums)
		case "/changed/SHA256SUMS":
			fmt.Fprint(w, strings.Repeat("0", 64), "  ", name, ".tar.gz\n")
		case "/unlisted/SHA256SUMS":
			fmt.Fprint(w, digest, "  other.tar.gz\n")
		default:
			http.NotFound(w, q)
		}
	}))
	defer server.Close()
	for _, c := range []struct {
		place, digest string
		want          string // in the output; "" means that the binary is installed
	}{
		{"/good", "", ""},
		{"/good", digest, ""},
		{"/changed", digest, ""}, // the digest that a user pins decides
		{"/good", strings.Repeat("0", 64), "nothing was installed"},
		{"/changed", "", "nothing was installed"},
		{"/unlisted", "", "not one that SHA256SUMS lists"},
		{"/nowhere", "", "404"},
	} {
		folder := filepath.Join(t.TempDir(), "Zoë's tools")
		cmd := exec.Command("bash", filepath.Join("..", "fetch"), server.URL+c.place, "v1.2.3", c.digest, folder)
		out, err := cmd.CombinedOutput()
		_, missing := os.Stat(filepath.Join(folder, "concur"))
		if c.want == "" {
			if err != nil || missing != nil || !bytes.Contains(out, []byte("concur v1.2.3")) {
				t.Errorf("%s %s: %v, %v\n%s", c.place, c.digest, err, missing, out)
			}
			continue
		}
		if err == nil || missing == nil || !bytes.Contains(out, []byte(c.want)) {
			t.Errorf("%s %s: %v, installed %v; want %q in\n%s", c.place, c.digest, err, missing == nil, c.want, out)
		}
	}
}
