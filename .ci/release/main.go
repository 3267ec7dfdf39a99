// Command release builds the files of a release from a checkout, into the folder dist or -out:
//
//	go run -C .ci ./release -root ..
//
// It needs Go and git, and no Python, Node or Docker. Two builds of one commit are equal byte for byte: files in
// archives are sorted and have the time of the commit. -kinds and -targets choose a part of the files.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is a platform, in Go's words.
type target struct{ os, arch string }

// targets returns the platforms of a release.
func targets() []target {
	return []target{
		{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
		{"windows", "arm64"},
	}
}

func (t target) String() string { return t.os + "/" + t.arch }

// binary returns the file name of concur.
func (t target) binary() string { return t.binaryOf(command) }

// binaryOf returns the file name of a command.
func (t target) binaryOf(name string) string {
	if t.os == "windows" {
		return name + ".exe"
	}
	return name
}

// kinds are the kinds of files that a release has, in the order in which they are built.
var kinds = []struct {
	name  string
	build func(*release, []built) error
}{
	{"archive", (*release).writeArchives},
	{"hub", (*release).writeHubs},
	{"wheel", (*release).writeWheels},
	{"npm", (*release).writeNpm},
	{"image", (*release).writeImages},
}

func main() {
	r := &release{}
	var platforms, only string
	flag.StringVar(&r.root, "root", "..", "the `FOLDER` of the checkout")
	flag.StringVar(&r.out, "out", "dist", "the `FOLDER` of the release, in the checkout or absolute; it is emptied first")
	flag.StringVar(&r.version, "version", "", "the `VERSION`, as git describe prints it (default: from git)")
	flag.StringVar(&r.flags, "ldflags", "", "`FLAGS` of the linker")
	flag.StringVar(&platforms, "targets", "all", "`PLATFORMS`, such as linux/amd64,darwin/arm64; host is this machine's")
	flag.StringVar(&only, "kinds", "all", "`KINDS` of files: "+kindNames())
	flag.BoolVar(&r.quick, "quick", false,
		"keep the paths of this machine in the binary: for tests, where packages are compiled already")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "release: unexpected %q: give flags only\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := r.make(platforms, only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// make builds the release.
func (r *release) make(platforms, only string) error {
	chosen, err := targetsOf(platforms)
	if err != nil {
		return err
	}
	names := strings.Split(only, ",")
	for _, name := range names {
		if name != "all" && !slices.Contains(strings.Split(kindNames(), ", "), name) {
			return fmt.Errorf("-kinds has %q: choose from all, %s", name, kindNames())
		}
	}
	if err := r.open(); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	binaries, err := r.buildAll(chosen)
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		if only == "all" || slices.Contains(names, kind.name) {
			if err := kind.build(r, binaries); err != nil {
				return fmt.Errorf("%s: %w", kind.name, err)
			}
		}
	}
	return r.writeSums()
}

func kindNames() string {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.name)
	}
	return strings.Join(names, ", ")
}

// targetsOf reads the flag -targets.
func targetsOf(words string) ([]target, error) {
	var chosen []target
	for word := range strings.SplitSeq(words, ",") {
		switch word {
		case "all":
			return targets(), nil
		case "host":
			word = target{runtime.GOOS, runtime.GOARCH}.String()
		}
		at := slices.IndexFunc(targets(), func(t target) bool { return t.String() == word })
		if at < 0 {
			return nil, fmt.Errorf("-targets has %q: choose from all, host, %v", word, targets())
		}
		chosen = append(chosen, targets()[at])
	}
	return chosen, nil
}

// empty removes the files of an earlier release, and refuses a folder that has other files.
func empty(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "concur") && e.Name() != "SHA256SUMS" {
			return fmt.Errorf("%s has the file %s, which is not of a release: choose another folder with -out", folder, e.Name())
		}
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
