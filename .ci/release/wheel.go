package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// pythonSource is the folder of the Python package in the checkout.
const pythonSource = "cmd/python"

// wheelTags returns the platform tags of a wheel. A binary without C code runs on glibc and musl, so that Linux has
// both tags on one file. Go 1.26 needs macOS 12.
func (t target) wheelTags() []string {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.arch]
	switch t.os {
	case "linux":
		return []string{"manylinux_2_17_" + machine, "manylinux2014_" + machine, "musllinux_1_1_" + machine}
	case "darwin":
		return []string{"macosx_12_0_" + map[string]string{"amd64": "x86_64", "arm64": "arm64"}[t.arch]}
	}
	return []string{"win_" + t.arch}
}

// writeWheels writes one wheel for each platform: the Python package, and the binary as a script.
func (r *release) writeWheels(binaries []built) error {
	source, err := r.pythonFiles()
	if err != nil {
		return err
	}
	for _, b := range binaries {
		name, content, err := r.wheel(b, source)
		if err != nil {
			return err
		}
		if err := r.write(name, content); err != nil {
			return err
		}
	}
	return nil
}

// pythonFiles returns the files of the Python package, without tests and Python's caches.
func (r *release) pythonFiles() ([]file, error) {
	var out []file
	base := os.DirFS(filepath.Join(r.root, filepath.FromSlash(pythonSource)))
	err := fs.WalkDir(base, "concur_eval", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "__pycache__":
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".py") && e.Name() != "py.typed":
			return nil
		}
		content, err := fs.ReadFile(base, path)
		out = append(out, file{name: path, content: content})
		return err
	})
	return out, err
}

// wheel returns the name and the content of a platform's wheel (packaging.python.org, binary distribution format).
func (r *release) wheel(b built, source []file) (string, []byte, error) {
	version, _ := versions(r.version)
	base := "concur_eval-" + version
	info := base + ".dist-info/"
	about, err := r.pythonMetadata(version)
	if err != nil {
		return "", nil, err
	}
	binary, err := os.ReadFile(b.path)
	if err != nil {
		return "", nil, err
	}
	licence, err := r.read("LICENSE")
	if err != nil {
		return "", nil, err
	}
	entries, err := r.read(pythonSource + "/entry_points.txt")
	if err != nil {
		return "", nil, err
	}
	tags := b.wheelTags()
	var shape strings.Builder
	shape.WriteString("Wheel-Version: 1.0\nGenerator: concur release\nRoot-Is-Purelib: false\n")
	for _, tag := range tags {
		fmt.Fprintf(&shape, "Tag: py3-none-%s\n", tag)
	}
	files := append(slices.Clone(source),
		file{name: base + ".data/scripts/" + b.binary(), content: binary, executable: true},
		file{name: info + "METADATA", content: about},
		file{name: info + "entry_points.txt", content: entries},
		file{name: info + "WHEEL", content: []byte(shape.String())},
		file{name: info + "licenses/LICENSE", content: licence},
		file{name: info + "licenses/THIRD-PARTY-LICENSES.txt", content: r.licences},
		file{name: info + "sboms/concur.cdx.json", content: b.bom},
	)
	content, err := zipFile(withRecord(files, info+"RECORD"), r.time)
	slices.Sort(tags)
	return base + "-py3-none-" + strings.Join(tags, ".") + ".whl", content, err
}

// pythonMetadata returns the METADATA of a wheel: its fields, and README as the description.
func (r *release) pythonMetadata(version string) ([]byte, error) {
	fields, err := r.read(pythonSource + "/METADATA.in")
	if err != nil {
		return nil, err
	}
	readme, err := r.read(pythonSource + "/README.md")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%s", strings.Replace(string(fields), "${VERSION}", version, 1), readme), nil
}

// withRecord sorts files and adds RECORD, the list of their digests, at the end.
func withRecord(files []file, record string) []file {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var list bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&list, "%s,,\n", record)
	return append(files, file{name: record, content: list.Bytes()})
}

// zipFile returns files, in the given order, as a zip file. All have the same time. In this format the seconds
// are even numbers.
func zipFile(files []file, when time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		header.SetMode(0o644)
		if f.executable {
			header.SetMode(0o755)
		}
		part, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
