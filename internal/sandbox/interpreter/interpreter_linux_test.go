package interpreter_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/interpreter"
)

func anyone(string) error { return nil }

// program writes an executable script of the shell.
func program(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func environment(path, home string) func(string) string {
	return func(name string) string {
		switch name {
		case "PATH":
			return path
		case "HOME":
			return home
		}
		return ""
	}
}

// A shim is resolved to the program behind it, with the folders of its installation and of a virtual environment.
func TestShim(t *testing.T) {
	home := t.TempDir()
	install := filepath.Join(home, "versions", "3.12")
	real := program(t, filepath.Join(install, "bin"), "python3", "")
	venv := filepath.Join(home, "venv")
	shims := filepath.Join(home, "shims")
	if err := os.Mkdir(venv, 0o755); err != nil {
		t.Fatal(err)
	}
	program(t, shims, "python3", `test -z "$SECRET" && echo '{"path": "`+real+`", "version": "3.12.1", "needs": ["`+venv+`", "`+
		install+`"]}'`)
	t.Setenv("SECRET", "a key")
	got, err := interpreter.Find(context.Background(), sandbox.Python, "", environment(shims, home), anyone)
	if err != nil {
		t.Fatal(err)
	}
	if got.Path != real || got.Version != "3.12.1" || strings.Join(got.Needs, " ") != venv+" "+install &&
		strings.Join(got.Needs, " ") != install+" "+venv {
		t.Errorf("%+v", got)
	}
}

// An interpreter that is installed into the home folder itself would show all files of the user.
func TestHomeIsNotShown(t *testing.T) {
	home := t.TempDir()
	real := program(t, filepath.Join(home, "bin"), "python3", `echo '{"path": "`+filepath.Join(home, "bin", "python3")+
		`", "version": "3.12.1", "needs": ["`+home+`"]}'`)
	_, err := interpreter.Find(context.Background(), sandbox.Python, real, environment("", home), anyone)
	if err == nil || !strings.Contains(err.Error(), "with the user's files in it: name another interpreter") {
		t.Error(err)
	}
}

// A virtual environment that is the working folder itself would show the configuration and the runs.
func TestWorkingFolderIsNotShown(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	python := program(t, filepath.Join(folder, "bin"), "python3", `echo '{"path": "`+filepath.Join(folder, "bin", "python3")+
		`", "version": "3.12.1", "needs": ["`+folder+`"]}'`)
	_, err = interpreter.Find(context.Background(), sandbox.Python, python, environment("", ""), anyone)
	if err == nil || !strings.Contains(err.Error(), "is "+folder+", with the user's files in it") {
		t.Error(err)
	}
}

func TestProgramsThatDoNotWork(t *testing.T) {
	folder := t.TempDir()
	silent := program(t, folder, "python3", "echo hello")
	for _, c := range []struct{ named, want string }{
		{silent, `did not describe itself: it printed "hello\n"`},
		{program(t, folder, "failing", "exit 3"), "does not start: exit status 3"},
		{filepath.Join(folder, "absent"), "no such file"},
	} {
		_, err := interpreter.Find(context.Background(), sandbox.Python, c.named, environment(folder, folder), anyone)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.named, err, c.want)
		}
	}
	if _, err := interpreter.Find(context.Background(), "cobol", "", environment("", ""), anyone); err == nil {
		t.Error("an interpreter for cobol")
	}
}

// A path below a closed folder is refused by the name of the folder.
func TestReadableBy(t *testing.T) {
	folder := t.TempDir()
	closed := filepath.Join(folder, "closed")
	path := program(t, closed, "python3", "")
	for at := folder; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	nobody := interpreter.ReadableBy(65534, 65534)
	if err := nobody(path); err != nil {
		t.Errorf("in an open folder: %v", err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	err := nobody(path)
	if err == nil || !strings.Contains(err.Error(), closed+" is closed to it): run concur as a plain user") {
		t.Errorf("in a closed folder: %v", err)
	}
	if err := interpreter.ReadableBy(uint32(os.Getuid()), uint32(os.Getgid()))(path); err != nil {
		t.Errorf("by its owner: %v", err)
	}
}
