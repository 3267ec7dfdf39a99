package selftest

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

//go:embed *.py
var scripts embed.FS

// Finding is the result for one bound.
type Finding struct {
	Bound  string // what a program must not do, such as "files of the host"
	Holds  bool
	Detail string // what was reached, if it does not hold
}

// limits are those of the jobs: small, so that a test takes about a second.
var limits = sandbox.Limits{Time: time.Minute, Memory: 96 << 20, Processes: 32, Output: 64 << 10, Files: 4 << 20}

// beyond is the number of bytes above the bound that the jobs try to fill.
const beyond = 160 << 20

// Run attacks an engine that has Python and returns a finding for each bound, always in the same order. folder is a
// folder with files that a program must not see, such as that of the runs. An error means that a job could not be run.
func Run(ctx context.Context, engine sandbox.Engine, folder string) ([]Finding, error) {
	before, err := survey()
	if err != nil {
		return nil, err
	}
	attacks := []func(context.Context, sandbox.Engine) ([]Finding, error){
		func(ctx context.Context, e sandbox.Engine) ([]Finding, error) { return lookAround(ctx, e, folder) },
		forkMany, fillMemory, fillMemories, fillDisk, makeFiles, before.remain,
	}
	results := make([][]Finding, len(attacks))
	errs := make([]error, len(attacks))
	var all sync.WaitGroup
	for i, attack := range attacks {
		all.Go(func() { results[i], errs[i] = attack(ctx, engine) })
	}
	all.Wait()
	var out []Finding
	for i := range attacks {
		if errs[i] != nil {
			return nil, errs[i]
		}
		out = append(out, results[i]...)
	}
	left, err := before.check()
	return append(out, left...), err
}

// script runs one of the scripts.
func script(ctx context.Context, e sandbox.Engine, name, input string) (sandbox.Ended, error) {
	runner, err := scripts.ReadFile("runner.py")
	if err != nil {
		return sandbox.Ended{}, err
	}
	text, err := scripts.ReadFile(name)
	if err != nil {
		return sandbox.Ended{}, err
	}
	return e.Run(ctx, sandbox.Job{Language: sandbox.Python, Runner: runner, Script: text, Input: []byte(input),
		Limits: limits})
}

// reaches are the findings of look.py.
var reaches = []string{"files of the host", "variables of the host", "open files of the host", "loopback of the host",
	"address of cloud metadata", "abstract socket", "socket AF_VSOCK", "write outside of the working folder",
	"memory without a process", "namespace of its own"}

// secretVariable is set in this process while the self-test runs.
const secretVariable = "CONCUR_SANDBOX_TEST"

// lookAround runs look.py with places of the host that are open to others.
func lookAround(ctx context.Context, e sandbox.Engine, folder string) ([]Finding, error) {
	secret := "concur-" + rand.Text()
	host, err := openHost(ctx, secret)
	if err != nil {
		return nil, err
	}
	defer host.close()
	if err := os.Setenv(secretVariable, secret); err != nil {
		return nil, err
	}
	defer os.Unsetenv(secretVariable)
	// An interpreter in the user's home makes /home appear inside, with this interpreter alone in it.
	hidden := []string{"/etc/passwd", "/etc/shadow", "/proc/1/environ", "/proc/self/environ", "/sys/kernel", "/var/log",
		"/dev/kmsg", "/dev/mem", host.file}
	if absolute, err := filepath.Abs(folder); err == nil {
		hidden = append(hidden, absolute)
	}
	input, err := json.Marshal(map[string]any{"files": hidden, "secret": secret, "port": host.port,
		"abstract": host.abstract})
	if err != nil {
		return nil, err
	}
	ended, err := script(ctx, e, "look.py", string(input))
	if err != nil {
		return nil, err
	}
	reached := map[string][]string{}
	if err := json.Unmarshal(ended.Result, &reached); err != nil {
		return nil, fmt.Errorf("the self-test in %s gave no result: exit code %d %s %s %.200s", e.Name(), ended.Exit,
			ended.Signal, ended.Stop, ended.Stderr)
	}
	var out []Finding
	for _, bound := range reaches {
		out = append(out, Finding{bound, len(reached[bound]) == 0, strings.Join(reached[bound], ", ")})
	}
	return out, nil
}

func forkMany(ctx context.Context, e sandbox.Engine) ([]Finding, error) {
	ended, err := script(ctx, e, "fork.py", "")
	count, numberErr := strconv.Atoi(string(ended.Result))
	holds := numberErr == nil && count <= limits.Processes || ended.Stop == sandbox.StopProcesses
	return []Finding{{"processes", holds, fmt.Sprintf("%s of 100 started", ended.Result)}}, err
}

// bounded returns the finding for a script that writes "full" only if it passed a bound.
func bounded(ctx context.Context, e sandbox.Engine, bound, name string, input int64) ([]Finding, error) {
	ended, err := script(ctx, e, name, strconv.FormatInt(input, 10))
	holds := string(ended.Result) != "full" && ended.Stop != sandbox.StopTime
	return []Finding{{bound, holds, fmt.Sprintf("%d MiB were used", input>>20)}}, err
}

func fillMemory(ctx context.Context, e sandbox.Engine) ([]Finding, error) {
	return bounded(ctx, e, "memory of one process", "memory.py", limits.Memory+beyond)
}

func fillMemories(ctx context.Context, e sandbox.Engine) ([]Finding, error) {
	return bounded(ctx, e, "memory of 8 processes", "memories.py", limits.Memory+beyond)
}

func fillDisk(ctx context.Context, e sandbox.Engine) ([]Finding, error) {
	ended, err := script(ctx, e, "disk.py", strconv.FormatInt(4*limits.Files, 10))
	written, numberErr := strconv.ParseInt(string(ended.Result), 10, 64)
	holds := numberErr == nil && written <= limits.Files || ended.Stop == sandbox.StopFiles
	return []Finding{{"size of files", holds, fmt.Sprintf("%d KiB were written", written>>10)}}, err
}

func makeFiles(ctx context.Context, e sandbox.Engine) ([]Finding, error) {
	ended, err := script(ctx, e, "files.py", "")
	holds := ended.Stop == sandbox.StopFiles || string(ended.Result) == "error"
	return []Finding{{"number of files", holds, "20000 files were made"}}, err
}
