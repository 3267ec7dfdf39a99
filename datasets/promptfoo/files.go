package promptfoo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostBytes is the maximum size of a file that a configuration names: 16 MiB.
const mostBytes = 16 << 20

// files reads the files that a configuration names, by paths from its folder.
type files struct {
	dir    string
	refuse bool  // no file is read
	within fs.FS // if not nil, only files in it are read
}

// code are the endings of programs, which are not run.
var code = []string{".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb", ".sh"}

func ending(path string) string { return strings.ToLower(filepath.Ext(path)) }

// path returns the path of a reference such as file://a.txt.
func (f *files) path(reference string) string {
	name := strings.TrimPrefix(reference, "file://")
	if f.within != nil || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.dir, name)
}

// read returns the content of a file. Only regular files of at most 16 MiB are read.
func (f *files) read(path string) ([]byte, error) {
	if f.within != nil { // results may come from a stranger, who does not choose files of this machine
		path = filepath.ToSlash(filepath.Clean(path))
		data, err := readFrom(f.within, path)
		if err != nil {
			return nil, fmt.Errorf("names the file %.60q, which cannot be read in the folder of the results (at most 64 KiB)",
				path)
		}
		return data, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Size() > mostBytes:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, mostBytes>>20)
	}
	return os.ReadFile(path)
}

// mostBeside is the maximum size of a file that results name: 64 KiB. Each of thousands of tests may name the same one.
const mostBeside = 64 << 10

// readFrom returns the content of a regular file of at most 64 KiB in a folder.
func readFrom(folder fs.FS, path string) ([]byte, error) {
	info, err := fs.Stat(folder, path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > mostBeside:
		return nil, fs.ErrInvalid
	}
	return fs.ReadFile(folder, path)
}

// reference returns the text of a file that a value names.
func (f *files) reference(reference string) (string, error) {
	if f.refuse {
		return "", errors.New("names a file, which is read only by --mapping promptfoo")
	}
	path := f.path(reference)
	if at := strings.LastIndexByte(path, ':'); at > 0 && slices.Contains(code, ending(path[:at])) {
		path = path[:at] // file://check.py:function
	}
	if slices.Contains(code, ending(path)) {
		return "", fmt.Errorf("names the program %s, which is not run", filepath.Base(path))
	}
	data, err := f.read(path)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(data)), nil
}

// matches returns the files that a path with * names, sorted. A path without * is returned unchanged.
func (f *files) matches(reference string) ([]string, error) {
	path := f.path(reference)
	if !strings.ContainsAny(path, "*?[") {
		return []string{path}, nil
	}
	if strings.Contains(path, "**") {
		return nil, fmt.Errorf("%s: ** is not read: name the folders", reference)
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reference, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no file has the name %s", reference)
	}
	slices.Sort(found)
	return found, nil
}
