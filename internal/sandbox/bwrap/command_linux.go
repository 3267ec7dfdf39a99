package bwrap

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/interpreter"
)

// user is the uid and gid of programs in a sandbox, and of bubblewrap if root starts concur: nobody.
const user = 65534

// Descriptors that bubblewrap gets. It passes on the result and closes the others.
const (
	resultFD = 3 + iota
	scriptFD
	runnerFD
	statusFD
	filterFD
)

// Bounds that no setting changes.
const (
	sharedBytes = 4 << 20  // of /dev/shm, which multiprocessing needs for semaphores
	openFiles   = 64       // of one process
	lockedBytes = 64 << 10 // of memory that cannot be swapped
	mostFiles   = 10_000   // files and folders in /tmp and in /dev/shm, about 11 MB of the kernel's memory
)

// own is the memory that an interpreter needs before it runs a script, measured with Python 3.11 and Node 20 and
// rounded up.
type own struct {
	data     int64 // RLIMIT_DATA counts address space that is private and writable, which Node reserves in advance
	resident int64 // what the watcher sees
}

var ownMemory = map[string]own{
	sandbox.Python:     {data: 50 << 20, resident: 50 << 20},
	sandbox.JavaScript: {data: 256 << 20, resident: 128 << 20},
}

// scriptFiles are the paths of script and runner in the sandbox.
func scriptFiles(language string) (script, runner string) {
	if language == sandbox.JavaScript {
		return "/run/main.js", "/run/runner.js"
	}
	return "/run/main.py", "/run/runner.py"
}

// arguments returns the command line of bubblewrap for one job, without bubblewrap itself. Options that limit the
// view come before those that need it: the mounts of an interpreter come after the file systems in memory, which would
// hide an environment below /tmp, and what makes / read-only is last.
func arguments(i interpreter.Interpreter, limits sandbox.Limits, system []string) []string {
	script, runner := scriptFiles(i.Language)
	id := strconv.Itoa(user)
	args := []string{
		"--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1", "--die-with-parent", "--new-session",
		"--clearenv", "--cap-drop", "ALL", "--uid", id, "--gid", id, "--hostname", "sandbox",
	}
	args = append(args, system...)
	args = append(args, "--dev", "/dev", "--size", strconv.Itoa(sharedBytes), "--tmpfs", "/dev/shm",
		"--size", strconv.FormatInt(limits.Files, 10), "--tmpfs", "/tmp")
	for _, path := range i.Needs {
		args = append(args, "--ro-bind", path, path)
	}
	args = append(args, "--ro-bind-data", strconv.Itoa(scriptFD), script,
		"--ro-bind-data", strconv.Itoa(runnerFD), runner, "--json-status-fd", strconv.Itoa(statusFD),
		"--seccomp", strconv.Itoa(filterFD), "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp",
		"--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/tmp", "--setenv", "LANG", "C.UTF-8",
		"--setenv", "MALLOC_ARENA_MAX", "2", "--", "/usr/bin/prlimit")
	args = append(args, limitArguments(limits, ownMemory[i.Language].data)...)
	args = append(args, i.Path)
	args = append(args, i.Flags...)
	return append(args, runner, script)
}

// limitArguments returns the arguments of prlimit, which is the first program inside. data is the interpreter's own
// memory. The number of processes set here counts those of the sandbox alone; set around bubblewrap, it would count
// all processes of the user.
func limitArguments(limits sandbox.Limits, data int64) []string {
	var out []string
	for _, l := range []struct {
		name  string
		value int64
	}{
		{"core", 0}, {"nofile", openFiles}, {"fsize", limits.Files}, {"memlock", lockedBytes},
		{"nproc", int64(limits.Processes)}, {"data", limits.Memory + data},
		{"cpu", int64(limits.Time/time.Second) + 1},
	} {
		out = append(out, fmt.Sprintf("--%s=%d", l.name, l.value))
	}
	return out
}

// SystemMounts returns the options that show /usr, and /bin and the folders of libraries as this machine has them:
// links into /usr on most systems, folders on others.
func SystemMounts() []string {
	out := []string{"--ro-bind", "/usr", "/usr"}
	for _, path := range []string{"/bin", "/lib", "/lib64", "/lib32"} {
		info, err := os.Lstat(path)
		if err != nil {
			continue // this machine has no such folder
		}
		if target, err := os.Readlink(path); err == nil {
			out = append(out, "--symlink", target, path)
		} else if info.IsDir() {
			out = append(out, "--ro-bind", path, path)
		}
	}
	return slices.Clip(out)
}
