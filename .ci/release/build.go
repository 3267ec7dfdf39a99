package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tags are the build tags of the command.
const tags = "urfave_cli_no_docs"

// release is a release in progress.
type release struct {
	root, out      string // folders: the checkout, and the files of the release
	version, flags string // as git describes the commit; flags of the linker
	commit         string
	time           time.Time // of the commit
	work           string    // a temporary folder
	licences       []byte    // of all modules that are linked in
	quick          bool      // keep the paths of this machine in the binary
}

// built is the command for one platform.
type built struct {
	target
	path string // of the binary
	bom  []byte // its components, as CycloneDX
}

// file is a file in an archive.
type file struct {
	name       string // with slashes
	content    []byte
	executable bool
	mode       int64 // of a folder that all users may write to; 0 otherwise
}

// open reads from git the values that no flag sets, and prepares the folders.
func (r *release) open() error {
	var err error
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if !filepath.IsAbs(r.out) {
		r.out = filepath.Join(r.root, r.out)
	}
	if r.commit, err = r.git("rev-parse", "HEAD"); err != nil {
		return err
	}
	if r.version == "" {
		if r.version, err = r.git("describe", "--tags", "--always", "--dirty"); err != nil {
			return err
		}
	}
	stamp, err := r.git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(cmp.Or(os.Getenv("SOURCE_DATE_EPOCH"), stamp), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	r.time = time.Unix(seconds, 0).UTC()
	r.flags = cmp.Or(r.flags, "-s -w -X main.version="+r.version+" -X main.commit="+r.commit)
	if err := empty(r.out); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "concur-release-"); err != nil {
		return err
	}
	r.licences, err = r.readLicences(command)
	return err
}

func (r *release) git(args ...string) (string, error) {
	out, err := r.run("git", args, nil)
	return strings.TrimSpace(string(out)), err
}

// run runs a program in the checkout and returns its output.
func (r *release) run(name string, args []string, env []string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), env...)
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, faults.Bytes())
	}
	return out, nil
}

// buildAll builds the command for platforms, one after the other: the compiler uses all cores.
func (r *release) buildAll(platforms []target) ([]built, error) {
	var out []built
	for _, t := range platforms {
		b, err := r.build(t, command)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// The commands of a release: concur, and the hub, which has an archive of its own.
const (
	command = "concur"
	hub     = "concur-hub"
)

// build builds a command for a platform.
func (r *release) build(t target, name string) (built, error) {
	path := filepath.Join(r.work, t.os+"-"+t.arch, t.binaryOf(name))
	_, err := r.run("go", []string{"build", fmt.Sprintf("-trimpath=%t", !r.quick), "-tags", tags, "-ldflags", r.flags,
		"-o", path, "./cmd/" + name}, []string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch})
	if err != nil {
		return built{}, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return built{}, err
	}
	bom, err := r.billOf(name, info)
	return built{t, path, bom}, err
}

// host returns a command that runs on this machine, of those that were built or a new one.
func (r *release) host(binaries []built) (string, error) {
	this := target{runtime.GOOS, runtime.GOARCH}
	for _, b := range binaries {
		if b.target == this {
			return b.path, nil
		}
	}
	path := filepath.Join(r.work, "host")
	_, err := r.run("go", []string{"build", "-tags", tags, "-o", path, "./cmd/concur"}, nil)
	return path, err
}

// readLicences returns the licences of the modules that are linked into a command, one after the other.
func (r *release) readLicences(name string) ([]byte, error) {
	list, err := r.run("go", []string{"list", "-tags", tags, "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/" + name}, nil)
	if err != nil {
		return nil, err
	}
	modules := slices.Compact(slices.Sorted(strings.SplitSeq(strings.TrimSpace(string(list)), "\n")))
	var out bytes.Buffer
	for _, module := range modules {
		fields := strings.Split(module, "\t")
		if len(fields) != 3 {
			continue // the standard library
		}
		name, err := licenceIn(fields[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fields[0], err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "==== %s %s\n\n%s\n", fields[0], fields[1], text)
	}
	return out.Bytes(), nil
}

// licenceIn returns the first licence file of a module.
func licenceIn(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		for _, prefix := range []string{"licens", "licenc", "copying", "unlicen"} {
			if strings.HasPrefix(name, prefix) && !e.IsDir() {
				return filepath.Join(folder, e.Name()), nil
			}
		}
	}
	return "", fmt.Errorf("there is no licence file in %s", folder)
}

// read reads a file of the checkout.
func (r *release) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
}

// write writes a file of the release.
func (r *release) write(name string, content []byte) error {
	path := filepath.Join(r.out, name)
	fmt.Printf("%9d  %s\n", len(content), path)
	return os.WriteFile(path, content, 0o644)
}

// writeSums writes the checksums of the files of the release, as sha256sum prints them.
func (r *release) writeSums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for _, e := range entries {
		if e.IsDir() || e.Name() == "SHA256SUMS" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(content), e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), out.Bytes(), 0o644)
}
