package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// packed reads an npm package: its package.json, and the modes of its files by name.
func packed(t *testing.T, content []byte) (manifest map[string]any, modes map[string]int64) {
	t.Helper()
	modes = map[string]int64{}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return manifest, modes
		} else if err != nil {
			t.Fatal(err)
		}
		modes[h.Name] = h.Mode
		if h.Name == "package/package.json" {
			if err := json.NewDecoder(in).Decode(&manifest); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestNpm(t *testing.T) {
	r, binaries := newRelease(t, targets()...)
	if err := r.writeNpm(binaries); err != nil {
		t.Fatal(err)
	}
	files := filesOf(t, r)
	if len(files) != len(targets())+1 {
		t.Errorf("there are %d packages", len(files))
	}
	main, modes := packed(t, files["concur-eval-1.2.3.tgz"])
	optional := main["optionalDependencies"].(map[string]any)
	if len(optional) != len(targets()) || optional["@concur-eval/win32-arm64"] != "1.2.3" || main["version"] != "1.2.3" {
		t.Errorf("package.json: %v", main)
	}
	if scripts := main["scripts"]; scripts != nil {
		t.Errorf("the package has scripts: %v", scripts)
	}
	if modes["package/bin/concur.js"] != 0o755 || modes["package/lib/vitest.d.ts"] != 0o644 ||
		modes["package/LICENSE"] == 0 {
		t.Errorf("files: %v", modes)
	}
	for name := range modes {
		if strings.Contains(name, "test/") || strings.Contains(name, "node_modules") {
			t.Errorf("the package has %s", name)
		}
	}
	platform, modes := packed(t, files["concur-eval-linux-x64-1.2.3.tgz"])
	if platform["name"] != "@concur-eval/linux-x64" || platform["os"].([]any)[0] != "linux" ||
		platform["cpu"].([]any)[0] != "x64" {
		t.Errorf("package.json: %v", platform)
	}
	if modes["package/bin/concur"] != 0o755 || modes["package/THIRD-PARTY-LICENSES.txt"] == 0 {
		t.Errorf("files: %v", modes)
	}
}
