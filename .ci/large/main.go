//go:build unix

// Command large prints CPU time and peak memory of concur on a run of many queries: while it makes the run, and while
// it reads it.
//
//	go run -C .ci ./large -queries 100000 ../bin/concur
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	l := large{out: os.Stdout}
	flag.IntVar(&l.queries, "queries", 10_000, "number of queries")
	flag.BoolVar(&l.spans, "telemetry", false, "compare runs with and without telemetry, and nothing else")
	keep := flag.String("folder", "", "keep the runs in this folder, and take those that it has")
	flag.Parse()
	err := l.in(*keep, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "large:", err)
		os.Exit(1)
	}
}

// large measures one binary on runs of so many queries.
type large struct {
	queries           int
	spans             bool
	binary, dir, data string
	out               io.Writer
}

// in measures in a folder, or in a temporary one.
func (l *large) in(folder, binary string) (err error) {
	if l.binary, err = filepath.Abs(binary); err != nil {
		return err
	}
	if _, err := os.Stat(l.binary); err != nil {
		return fmt.Errorf("%w: name the built command, such as ../bin/concur", err)
	}
	if l.dir, err = filepath.Abs(folder); folder == "" {
		if l.dir, err = os.MkdirTemp("", "concur-large-"); err == nil {
			defer os.RemoveAll(l.dir)
		}
	}
	if err != nil {
		return err
	}
	l.data = filepath.Join(l.dir, "sums.jsonl")
	if err := l.sums(); err != nil {
		return err
	}
	if l.spans {
		return l.telemetry()
	}
	return l.measure()
}

// sums writes the dataset. The gold of every tenth question is wrong.
func (l *large) sums() error {
	f, err := os.Create(l.data)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	for i := range l.queries {
		x, y := i%97+1, i%89+2
		gold := x + y
		if i%10 == 0 {
			gold++
		}
		fmt.Fprintf(out, `{"id":"q%07d","category":"sum%d","query":"What is %d + %d?",`+
			`"gold":{"type":"integer","answer":%d}}`+"\n", i, i%4, x, y, gold)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func (l *large) query(part float64) string { return fmt.Sprintf("q%07d", int(part*float64(l.queries))) }

func (l *large) measure() error {
	first, err := l.made("first", "1")
	if err != nil {
		return err
	}
	second, err := l.made("second", "2")
	if err != nil {
		return err
	}
	chats, inspect := filepath.Join(l.dir, "chats.jsonl"), filepath.Join(l.dir, "inspect.json")
	for _, of := range [][]string{
		{"report", "report", first},
		{"report, JSON", "report", first, "--format", "json"},
		{"report, JUnit", "report", first, "--format", "junit"},
		{"report, rows as CSV", "report", first, "--rows", "queries", "--format", "csv"},
		{"compare", "compare", first, second},
		{"trace", "trace", first, l.query(.5)},
		{"trace again", "trace", first, l.query(.3)},
		{"export sft", "export", first, "--format", "sft", "--force", "--out", chats},
		{"export inspect", "export", first, "--format", "inspect", "--force", "--out", inspect},
		{"sample of a fifth", "run", l.data, "--dry-run", "--sample", strconv.Itoa(l.queries / 5)},
		{"failed in a run", "run", l.data, "--dry-run", "--failed-in", first},
	} {
		if err := l.take(of[0], of[1:]...); err != nil {
			return err
		}
	}
	if err := interrupt(second, l.queries/100); err != nil {
		return err
	}
	return l.take("resume with a hundredth missing", "run", "--resume", second, "--quiet", "--yes")
}

// made returns the folder of a run with the offline model, which takes two model calls a query.
func (l *large) made(name, seed string) (string, error) {
	runs := filepath.Join(l.dir, name)
	if there, err := os.ReadDir(runs); err == nil && len(there) > 0 {
		return filepath.Join(runs, there[0].Name()), nil
	}
	if err := l.take("run", "run", l.data, "-k", "1", "--tools", "calc", "--without", "judge.quality,judge.correctness",
		"--quiet", "--yes", "--seed", seed, "--runs-dir", runs); err != nil {
		return "", err
	}
	return l.made(name, seed)
}

// take runs the binary once and prints what it took.
func (l *large) take(what string, args ...string) error {
	cmd := exec.Command(l.binary, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("concur %s: %w\n%s", strings.Join(args, " "), err, &errs)
	}
	used := cmd.ProcessState
	peak := float64(used.SysUsage().(*syscall.Rusage).Maxrss) // at least that of this process, which started it
	_, err := fmt.Fprintf(l.out, "%-32s %8.2f s CPU  %7.1f MB at most\n", what,
		(used.UserTime() + used.SystemTime()).Seconds(), peak*1024/1e6)
	return err
}

// interrupt removes the last n records of a finished run, and the traces and calls from the first of them on.
func interrupt(dir string, n int) error {
	path := func(name string) string { return filepath.Join(dir, name+".jsonl") }
	lines := 0
	if err := eachLine(path("results"), func([]byte, int64) bool { lines++; return true }); err != nil {
		return err
	}
	lost, cut, at := map[string]bool{}, int64(-1), 0
	err := eachLine(path("results"), func(line []byte, offset int64) bool {
		if at++; at <= lines-n {
			return true
		}
		if cut < 0 {
			cut = offset
		}
		lost[queryOf(line)] = true
		return true
	})
	if err == nil {
		err = os.Truncate(path("results"), cut)
	}
	for _, name := range []string{"trace", "chat"} {
		if err != nil {
			return err
		}
		cut := int64(-1)
		if err = eachLine(path(name), func(line []byte, offset int64) bool {
			cut = offset
			return !lost[queryOf(line)]
		}); err == nil {
			err = os.Truncate(path(name), cut)
		}
	}
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "run.yaml"))
	if err != nil {
		return err
	}
	manifest = bytes.Replace(manifest, []byte("state: complete"), []byte("state: interrupted"), 1)
	return os.WriteFile(filepath.Join(dir, "run.yaml"), manifest, 0o600)
}

func queryOf(line []byte) string {
	var of struct{ Query string }
	_ = json.Unmarshal(line, &of) // the first line has none
	return of.Query
}

// eachLine reads a file until do returns false.
func eachLine(path string, do func(line []byte, offset int64) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in, offset := bufio.NewReader(f), int64(0)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !do(line, offset) {
			return nil
		}
		offset += int64(len(line))
	}
}
