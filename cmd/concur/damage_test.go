package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// said names a damage in what a command says.
var said = regexp.MustCompile(`damaged|was changed|is cut off|ends early|checksum|first line|was written as line|plain file|` +
	`no run.yaml|no chat|no such file|not a question|second record|not complete|restore the file|cannot be read`)

// differing is what may differ between two outputs of one command.
var differing = regexp.MustCompile(`"(eval_id|created|completed_at|started_at)": ?"[^"]*"`)

// readers are the commands that read a run folder r.
var readers = map[string][]string{
	"report":       {"report", "r"},
	"report rows":  {"report", "r", "--rows", "queries", "--format", "csv"},
	"report html":  {"report", "r", "--format", "html"},
	"trace":        {"trace", "r"},
	"trace query":  {"trace", "r", "retrieval-01", "--format", "json"},
	"sft":          {"export", "r", "--format", "sft"},
	"votes":        {"export", "r", "--format", "votes"},
	"inspect":      {"export", "r", "--format", "inspect"},
	"rejudge":      {"rejudge", "r", "--quiet", "--runs-dir", "rejudged", "--rows", "queries", "--format", "csv"},
	"plan":         {"plan", "r"},
	"memory from":  {"memory", "from", "r", "--file", "memory.jsonl", "--owner", "ada"},
	"learn":        {"playbook", "learn", "r", "--into", "book.yaml"},
	"check --from": {"datasets", "check", "gold29", "--from", "r"},
	"failed in":    {"run", "gold29", "--failed-in", "r", "--dry-run"},
	"resume":       {"run", "--resume", "r", "--quiet", "--rows", "queries", "--format", "csv"},
	"verify":       {"runs", "verify", "r"},
}

// slow readers see the files of lines alone, and of special files FIFOs.
var slow = map[string]bool{
	"rejudge": true, "resume": true, "report html": true, "learn": true, "check --from": true, "failed in": true, "inspect": true,
}

// content are damages of what a file says. lines are those of the file, other the file of another run.
var content = map[string]func(lines [][]byte, other []byte) []byte{
	"cut at a line": func(l [][]byte, _ []byte) []byte { return bytes.Join(l[:len(l)-1], nil) },
	"cut in half":   func(l [][]byte, _ []byte) []byte { return bytes.Join(l[:len(l)/2+1], nil) },
	"cut in a line": func(l [][]byte, _ []byte) []byte { all := bytes.Join(l, nil); return all[:len(all)-12] },
	"doubled":       func(l [][]byte, _ []byte) []byte { return bytes.Join(append(slices.Clone(l), l[1:]...), nil) },
	"a line twice": func(l [][]byte, _ []byte) []byte {
		return bytes.Join(slices.Insert(slices.Clone(l), len(l)-1, l[len(l)-1]), nil)
	},
	"a line gone": func(l [][]byte, _ []byte) []byte { return bytes.Join(slices.Delete(slices.Clone(l), 1, 2), nil) },
	"swapped": func(l [][]byte, _ []byte) []byte {
		l = slices.Clone(l)
		l[1], l[2] = l[2], l[1]
		return bytes.Join(l, nil)
	},
	"flipped": func(l [][]byte, _ []byte) []byte {
		all := bytes.Join(l, nil)
		all[len(all)-len(l[len(l)-1])/2] ^= 1
		return all
	},
	"emptied":    func([][]byte, []byte) []byte { return nil },
	"zeros":      func(l [][]byte, _ []byte) []byte { return make([]byte, len(bytes.Join(l, nil))) },
	"zeros last": func(l [][]byte, _ []byte) []byte { return append(bytes.Join(l, nil), make([]byte, 100)...) },
	"other run":  func(_ [][]byte, other []byte) []byte { return other },
	"a line of another run": func(l [][]byte, other []byte) []byte {
		l = slices.Clone(l)
		l[1] = bytes.SplitAfter(other, []byte("\n"))[1]
		return bytes.Join(l, nil)
	},
	"without checksums": func(l [][]byte, _ []byte) []byte {
		return regexp.MustCompile(`(?m),"crc":"[^"]*"}$`).ReplaceAll(bytes.Join(l, nil), []byte("}"))
	},
	"a line without": func(l [][]byte, _ []byte) []byte {
		l = slices.Clone(l)
		l[1] = regexp.MustCompile(`,"crc":"[^"]*"}`).ReplaceAll(l[1], []byte("}"))
		return bytes.Join(l, nil)
	},
}

// special are files that are not plain.
var special = map[string]func(path string) error{
	"FIFO":          mkfifo,
	"link out":      func(path string) error { return os.Symlink("/etc/passwd", path) },
	"endless":       func(path string) error { return os.Symlink("/dev/zero", path) },
	"link to a run": func(path string) error { return os.Symlink("../other/"+filepath.Base(path), path) },
	"folder":        func(path string) error { return os.Mkdir(path, 0o700) },
	"socket": func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
}

// TestDamagedRuns damages each file of a run in each way. Every command that reads a run says so, refuses it, or says
// the same as before; runs verify finds all of it; nothing waits, and runs repair leaves a run that is whole or can be
// resumed.
func TestDamagedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	if runtime.GOOS == "windows" {
		t.Skip("special files and their names are those of Unix")
	}
	t.Chdir(t.TempDir())
	for name, seed := range map[string]string{"whole": "3", "other": "4"} {
		must(t, exitOK, "run", "gold29", "--limit", "3", "-k", "2", "--seed", seed, "--quiet", "--runs-dir", name+"s")
		folders, err := filepath.Glob(name + "s/*")
		if err != nil || len(folders) != 1 {
			t.Fatal(folders, err)
		}
		if err := os.Rename(folders[0], name); err != nil {
			t.Fatal(err)
		}
		for _, verdict := range []string{"correct", "incorrect"} {
			must(t, exitOK, "label", name, "retrieval-01", verdict, "--author", "ada")
		}
		must(t, exitOK, "report", name) // writes summary.json with the labels
	}
	want := map[string]string{}
	for reader := range readers {
		fresh(t)
		code, out, errs := readBy(t, reader)
		if code != exitOK {
			t.Errorf("control: %s of a whole run: exit %d: %s", reader, code, errs)
		}
		want[reader] = out
	}
	if t.Failed() {
		return
	}
	damages := 0
	for _, file := range []string{"run.yaml", "results.jsonl", "trace.jsonl", "chat.jsonl", "labels.jsonl", "summary.json"} {
		for damage, change := range allDamages(t, file) {
			damages++
			for reader := range readers {
				lines := strings.HasSuffix(file, "l") && file != "labels.jsonl" && file != "run.yaml"
				if slow[reader] && (!lines || special[damage] != nil && damage != "FIFO") {
					continue
				}
				fresh(t)
				if err := change(filepath.Join("r", file)); err != nil {
					t.Fatal(err)
				}
				code, out, errs := readBy(t, reader)
				where := fmt.Sprintf("%s, %s: %s", file, damage, reader)
				switch {
				case unseen[file+", "+damage]:
				case code == exitOK && out != want[reader] && !said.MatchString(errs+out):
					t.Errorf("%s: says something else, exit 0: %s", where, errs)
				case code != exitOK && !said.MatchString(errs+out):
					t.Errorf("%s: exit %d without a reason: %s", where, code, errs)
				case code != exitOK && code != exitInvalid && !strings.Contains(errs, "not complete") && !strings.Contains(errs, "no run.yaml"):
					t.Errorf("%s: exit %d, want 3: %s", where, code, errs)
				case reader == "verify" && code != exitInvalid:
					t.Errorf("%s: exit %d, and nothing is found: %s", where, code, out)
				}
			}
		}
	}
	if damages < 100 {
		t.Errorf("%d damages, want 100", damages)
	}
}

// unseen are damages after which a file is one that people and power failures leave.
var unseen = map[string]bool{
	"labels.jsonl, cut at a line":     true, // the last label was never given
	"labels.jsonl, cut in a line":     true,
	"labels.jsonl, cut in half":       true,
	"labels.jsonl, a line gone":       true, // a person may remove a label
	"labels.jsonl, zeros last":        true, // what a power failure leaves
	"labels.jsonl, without checksums": true, // a person may write labels
	"labels.jsonl, a line without":    true,
}

// allDamages are those that change a file.
func allDamages(t *testing.T, file string) map[string]func(path string) error {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("whole", file))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join("other", file))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]func(path string) error{}
	lines := slices.DeleteFunc(bytes.SplitAfter(raw, []byte("\n")), func(l []byte) bool { return len(l) == 0 })
	for name, change := range content {
		if file == "summary.json" && !slices.Contains([]string{"cut in a line", "doubled", "emptied", "zeros"}, name) {
			continue // it is made again from the others, and has no lines
		}
		if file == "run.yaml" && (strings.Contains(name, "line") || name == "swapped" || name == "without checksums") && name != "cut in a line" {
			continue // it has no lines either
		}
		changed := change(lines, other)
		if bytes.Equal(changed, raw) {
			continue
		}
		out[name] = func(path string) error { return os.WriteFile(path, changed, 0o600) }
	}
	for name, make := range special {
		out[name] = func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return make(path)
		}
	}
	return out
}

// fresh makes r a copy of the whole run.
func fresh(t *testing.T) {
	t.Helper()
	for _, name := range []string{"r", "rejudged", "memory.jsonl", "book.yaml", "book.yaml.log.jsonl"} {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS("r", os.DirFS("whole")); err != nil {
		t.Fatal(err)
	}
}

func readBy(t *testing.T, reader string) (int, string, string) {
	t.Helper()
	code, out, errs := invoke(readers[reader]...)
	for _, file := range []string{"memory.jsonl", "book.yaml"} {
		raw, err := os.ReadFile(file)
		if err == nil {
			out += string(raw)
		}
	}
	return code, differing.ReplaceAllString(out, ""), errs
}

// TestRepairedRuns repairs each damage of the files of lines. What is left is whole: as it was, or a run that is
// resumed to the same records, and the file as it was is beside it.
func TestRepairedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	t.Chdir(t.TempDir())
	for name, seed := range map[string]string{"whole": "3", "other": "4"} {
		must(t, exitOK, "run", "gold29", "--limit", "3", "-k", "2", "--seed", seed, "--quiet", "--runs-dir", name+"s")
		folders, _ := filepath.Glob(name + "s/*")
		if err := os.Rename(folders[0], name); err != nil {
			t.Fatal(err)
		}
	}
	want := records(t, openedRun(t, "whole"))
	for _, file := range []string{"results.jsonl", "trace.jsonl", "chat.jsonl"} {
		for damage, change := range allDamages(t, file) {
			if special[damage] != nil && runtime.GOOS == "windows" {
				continue
			}
			fresh(t)
			path := filepath.Join("r", file)
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			code, out, errs := invoke("runs", "repair", "r")
			if code != exitOK {
				t.Errorf("%s, %s: repair: exit %d: %s", file, damage, code, errs)
				continue
			}
			if _, err := os.Lstat(path + ".damaged"); err != nil {
				t.Errorf("%s, %s: the file as it was is gone: %v\n%s", file, damage, err, out)
			}
			if code, _, errs := invoke("run", "--resume", "r", "--quiet"); code != exitOK {
				t.Errorf("%s, %s: resume: exit %d: %s\n%s", file, damage, code, errs, out)
				continue
			}
			if code, said, _ := invoke("runs", "verify", "r"); code != exitOK {
				t.Errorf("%s, %s: still damaged: %s", file, damage, said)
			}
			got := records(t, openedRun(t, "r"))
			if a, b := asJSON(t, want), asJSON(t, got); a != b {
				t.Errorf("%s, %s: other records\n%s\n%s", file, damage, a, b)
			}
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
