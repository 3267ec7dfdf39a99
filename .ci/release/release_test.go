package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// newRelease returns a release of this checkout with binaries that are texts.
func newRelease(t *testing.T, platforms ...target) (*release, []built) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	r := &release{root: root, out: t.TempDir(), version: "v1.2.3", time: time.Unix(1_800_000_001, 0).UTC(),
		licences: []byte("==== a v1\n")}
	var out []built
	for _, p := range platforms {
		b := built{target: p, path: filepath.Join(t.TempDir(), p.binary())}
		if err := os.WriteFile(b.path, []byte("binary of "+p.String()), 0o755); err != nil {
			t.Fatal(err)
		}
		info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "example.org/concur"},
			Deps: []*debug.Module{{Path: "example.org/z", Version: "v2.0.0"},
				{Path: "example.org/a", Version: "v1.0.0+incompatible"}}}
		if b.bom, err = r.billOf(command, info); err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return r, out
}

// filesOf returns the names and contents of the files of a release.
func filesOf(t *testing.T, r *release) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(r.out)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(r.out, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestWheel(t *testing.T) {
	r, binaries := newRelease(t, targets()...)
	if err := r.writeWheels(binaries); err != nil {
		t.Fatal(err)
	}
	files := filesOf(t, r)
	for _, platform := range []string{
		"manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
		"manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
		"macosx_12_0_x86_64", "macosx_12_0_arm64", "win_amd64", "win_arm64",
	} {
		if files["concur_eval-1.2.3-py3-none-"+platform+".whl"] == nil {
			t.Errorf("there is no wheel for %s", platform)
		}
	}
	content := files["concur_eval-1.2.3-py3-none-win_arm64.whl"]
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][]byte{}
	for _, f := range z.File {
		part, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if parts[f.Name], err = io.ReadAll(part); err != nil {
			t.Fatal(err)
		}
		if executable := strings.HasPrefix(f.Name, "concur_eval-1.2.3.data/scripts/"); (f.Mode()&0o111 != 0) != executable {
			t.Errorf("%s has mode %s", f.Name, f.Mode())
		}
		if strings.Contains(f.Name, "tests/") || strings.Contains(f.Name, "__pycache__") {
			t.Errorf("the wheel has %s", f.Name)
		}
	}
	info := "concur_eval-1.2.3.dist-info/"
	if got := string(parts["concur_eval-1.2.3.data/scripts/concur.exe"]); got != "binary of windows/arm64" {
		t.Errorf("the binary is %q", got)
	}
	about := string(parts[info+"METADATA"])
	if !strings.Contains(about, "\nVersion: 1.2.3\n") || strings.Contains(about, "${") {
		t.Errorf("METADATA: %s", about)
	}
	if got := string(parts[info+"WHEEL"]); !strings.HasSuffix(got, "Root-Is-Purelib: false\nTag: py3-none-win_arm64\n") {
		t.Errorf("WHEEL: %s", got)
	}
	for _, name := range []string{"concur_eval/__init__.py", "concur_eval/py.typed", info + "licenses/LICENSE",
		info + "licenses/THIRD-PARTY-LICENSES.txt", info + "sboms/concur.cdx.json",
		info + "entry_points.txt"} {
		if _, has := parts[name]; !has {
			t.Errorf("the wheel has no %s", name)
		}
	}
	checkRecord(t, parts, info+"RECORD")
}

// checkRecord compares RECORD with the files of a wheel.
func checkRecord(t *testing.T, parts map[string][]byte, record string) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(parts[record])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(parts) {
		t.Errorf("RECORD has %d rows for %d files", len(rows), len(parts))
	}
	for _, row := range rows {
		sum := sha256.Sum256(parts[row[0]])
		if row[0] != record && row[1] != "sha256="+base64.RawURLEncoding.EncodeToString(sum[:]) {
			t.Errorf("RECORD: the digest of %s is wrong", row[0])
		}
	}
}

// TestEqualBuilds: two builds are equal byte for byte, also of files in another order.
func TestEqualBuilds(t *testing.T) {
	a, binaries := newRelease(t, targets()[0])
	b, others := newRelease(t, targets()[0])
	for _, kind := range kinds {
		if kind.name == "archive" || kind.name == "hub" { // they run or build a binary
			continue
		}
		if err := kind.build(a, binaries); err != nil {
			t.Fatal(err)
		}
		if err := kind.build(b, others); err != nil {
			t.Fatal(err)
		}
	}
	for _, hubs := range []struct {
		r *release
		b built
	}{{a, binaries[0]}, {b, others[0]}} {
		if err := hubs.r.writeHub(hubs.b, hubs.r.licences); err != nil {
			t.Fatal(err)
		}
	}
	again := filesOf(t, b)
	for name, content := range filesOf(t, a) {
		if !bytes.Equal(content, again[name]) {
			t.Errorf("%s differs between two builds", name)
		}
	}
	files := []file{{name: "a/x", content: []byte("1")}, {name: "a/y", content: []byte("2"), executable: true}}
	first, err := tarball(files, a.time, 0)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(files)
	if second, err := tarball(files, a.time, 0); err != nil || !bytes.Equal(first, second) {
		t.Errorf("the order of files changes the archive: %v", err)
	}
}

// The hub has an archive of its own, with its licences and components.
func TestHub(t *testing.T) {
	r, binaries := newRelease(t, target{"windows", "arm64"})
	if err := r.writeHub(binaries[0], []byte("==== of the hub v1\n")); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(filesOf(t, r)["concur-hub-v1.2.3-windows-arm64.tar.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		content, readErr := io.ReadAll(in)
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		if parts[h.Name] = string(content); h.Typeflag == tar.TypeReg && (h.Mode&0o111 != 0) != strings.HasSuffix(h.Name, ".exe") {
			t.Errorf("%s has mode %o", h.Name, h.Mode)
		}
	}
	folder := "concur-hub-v1.2.3-windows-arm64/"
	for name, want := range map[string]string{"concur-hub.exe": "binary of windows/arm64", "LICENSE": "Apache License",
		"THIRD-PARTY-LICENSES.txt": "==== of the hub v1", "concur-hub.cdx.json": `"bomFormat": "CycloneDX"`} {
		if !strings.Contains(parts[folder+name], want) {
			t.Errorf("%s: %.100q lacks %q", name, parts[folder+name], want)
		}
	}
	if len(parts) != 5 {
		t.Errorf("the archive has %d entries", len(parts))
	}
}

func TestTarball(t *testing.T) {
	files := []file{{name: "a/b/x", content: []byte("1"), executable: true}, {name: "tmp/"}}
	content, err := tarball(files, time.Unix(1_800_000_000, 0), 7)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 7 || h.Gid != 7 || h.ModTime.Unix() != 1_800_000_000 || h.Mode != 0o755 {
			t.Errorf("%+v", h)
		}
		got = append(got, h.Name)
	}
	if want := []string{"a/", "a/b/", "a/b/x", "tmp/"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBill(t *testing.T) {
	_, binaries := newRelease(t, targets()[0])
	var b bill
	if err := json.Unmarshal(binaries[0].bom, &b); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range b.Components {
		names = append(names, c.Purl)
	}
	want := []string{"pkg:golang/example.org/a@v1.0.0%2Bincompatible", "pkg:golang/example.org/z@v2.0.0",
		"pkg:golang/std@1.26.8"}
	if !slices.Equal(names, want) || b.Format != "CycloneDX" || b.Spec != "1.6" || len(b.Depends) != 4 {
		t.Errorf("components %v, want %v; %+v", names, want, b)
	}
	if len(b.Serial) != len("urn:uuid:")+36 {
		t.Errorf("the serial number is %s", b.Serial)
	}
}

func TestTargets(t *testing.T) {
	if got, err := targetsOf("linux/arm64,windows/amd64"); err != nil || len(got) != 2 || got[1].binary() != "concur.exe" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := targetsOf("plan9/386"); err == nil || !strings.Contains(err.Error(), "choose from") {
		t.Errorf("an unknown platform: %v", err)
	}
}

// TestEmpty: only files of a release are removed.
func TestEmpty(t *testing.T) {
	folder := t.TempDir()
	old := filepath.Join(folder, "concur-1.tar.gz")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := empty(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old archive is there: %v", err)
	}
	mine := filepath.Join(folder, "thesis.tex")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := empty(folder); err == nil {
		t.Error("a folder with other files was accepted")
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
