package bwrap_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
)

// The runners of the tests run a script, and write the value of its variable `result` as the result.
var runners = map[string]string{
	sandbox.Python: `import sys, os
scope = {"__name__": "__main__"}
exec(compile(open(sys.argv[1]).read(), "main.py", "exec"), scope)
os.write(3, str(scope.get("result", "")).encode())`,
	sandbox.JavaScript: `const fs = require("fs"), vm = require("vm");
globalThis.require = require;
vm.runInThisContext(fs.readFileSync(process.argv[2], "utf8"), {filename: "main.js"});
fs.writeSync(3, String(globalThis.result ?? ""));`,
}

// run runs a script with the tests' runner. The job must end without an error of the sandbox. On a machine that is too
// busy to start a sandbox in the time of a job, it gets more.
func run(t *testing.T, e sandbox.Engine, language, script string, limits sandbox.Limits) sandbox.Ended {
	t.Helper()
	for {
		ended, err := e.Run(context.Background(), sandbox.Job{Language: language, Script: []byte(script),
			Runner: []byte(runners[language]), Input: []byte("the input"), Limits: limits})
		if err == nil {
			return ended
		}
		if !strings.Contains(err.Error(), "it did not start within") || limits.Time > 5*time.Minute {
			t.Fatal(err)
		}
		limits.Time *= 2
	}
}

// describe returns how a job ended in one line: the limit, or the signal, or the exit code, with the last lines of
// standard error and the result.
func describe(e sandbox.Ended) string {
	how := fmt.Sprintf("exit %d", e.Exit)
	if e.Signal != "" {
		how = e.Signal
	}
	if e.Stop != sandbox.NotStopped {
		how = string(e.Stop)
	}
	stderr := strings.TrimSpace(string(e.Stderr))
	return fmt.Sprintf("%s; result %.300q; output %.600q; error %q", how, e.Result, e.Stdout, stderr[max(0, len(stderr)-300):])
}

// slack is how much later than its deadline a job may end on a busy machine. Half a second is the goal; the benchmark
// measures it.
const slack = 30 * time.Second

// attack is a script and a pattern for how it must end.
type attack struct {
	name, language, script, want string
	limits                       sandbox.Limits
}

func (a attack) try(t *testing.T, e sandbox.Engine) {
	t.Helper()
	if a.limits.Time == 0 && !strings.Contains(a.want, "^time") {
		a.limits.Time = 2 * time.Minute // it ends by itself, also on a busy machine
	}
	a.limits = a.limits.Or(sandbox.Limits{Time: 3 * time.Second})
	ended := run(t, e, a.language, a.script, a.limits)
	if got := describe(ended); !regexp.MustCompile(a.want).MatchString(got) {
		t.Errorf("%s, want %s", got, a.want)
	}
	if ended.Time > a.limits.Time+slack {
		t.Errorf("it ended after %v, and its time is %v", ended.Time, a.limits.Time)
	}
	most := a.limits.Or(sandbox.Defaults()).Output
	for _, text := range [][]byte{ended.Stdout, ended.Stderr, ended.Result} {
		if int64(len(text)) > most {
			t.Errorf("%d bytes of output were kept", len(text))
		}
	}
}

// startEngines returns an engine for each language, or skips the test.
func startEngines(t *testing.T) map[string]sandbox.Engine {
	out := map[string]sandbox.Engine{}
	for language := range runners {
		out[language] = sandboxtest.Bwrap(t, os.Getenv, language)
	}
	return out
}

// memoryEnds are the ways in which a script ends that needs more memory than it may have.
const memoryEnds = `^memory|MemoryError|^time`

func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("processes of others, in which nothing is shared with this one")
	}
	const py, js = sandbox.Python, sandbox.JavaScript
	checkRemains(t)
	engines := startEngines(t)
	short := sandbox.Limits{Time: time.Second}
	for _, a := range []attack{
		{"endless loop", py, "while True: pass", `^time`, short},
		{"endless sleep", py, "import time; time.sleep(1000)", `^time`, short},
		{"endless recursion", py, "def f(n): return f(n+1)+1\nf(0)", `^exit 1;.*RecursionError`, sandbox.Limits{}},
		{"recursion without a limit", py, "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return f(n+1)+1\nf(0)",
			memoryEnds + `|^SIGSEGV`, sandbox.Limits{}},
		{"large list", py, "a = [0]*2**30", memoryEnds, sandbox.Limits{}},
		{"squares", py, "r = 3**1000\nfor i in range(40): r = r*r", memoryEnds, short},
		{"catastrophic regular expression", py, "import re\nre.match(r'(a+)+$', 'a'*40+'b')", `^time`, short},
		{"sort of 30 million", py, "import random\na=[random.random() for _ in range(30_000_000)]\na.sort()", memoryEnds,
			sandbox.Limits{}},
		{"fork bomb", py, "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", `^time`, short},
		{"many processes", py, "import os, time\nn=0\ntry:\n  while n<200:\n    if os.fork()==0: time.sleep(60); os._exit(0)\n" +
			"    n+=1\nexcept BlockingIOError: pass\nresult=n", `^exit 0; result "63"`, sandbox.Limits{Time: time.Minute}},
		{"many threads", py, "import threading,time\nn=0\ntry:\n  while n<200:\n    threading.Thread(target=time.sleep,args=(30,)," +
			"daemon=True).start(); n+=1\nexcept RuntimeError: pass\nresult=n", `^exit 0; result "(\d|[1-5]\d|6[0-3])"`, sandbox.Limits{Time: time.Minute}},
		{"endless output", py, "import os\nwhile True: os.write(1, b'x'*65536)", `^output`, sandbox.Limits{Time: time.Minute}},
		{"endless errors", py, "import os\nwhile True: os.write(2, b'x'*65536)", `^output`, sandbox.Limits{Time: time.Minute}},
		{"endless result", py, "import os\nwhile True: os.write(3, b'x'*65536)", `^output`, sandbox.Limits{Time: time.Minute}},
		{"forged result", py, "import os\nos.write(3, b'forged'); os._exit(0)", `^exit 0; result "forged"`, sandbox.Limits{}},
		{"full disk", py, "n=0\ntry:\n  for i in range(9):\n    with open(f'/tmp/{i}','wb',buffering=0) as f:\n      for k in range(100):" +
			" n+=f.write(b'x'*65536)\nexcept OSError as e: result=(n>>20, e.errno)", `result "\(\d+, 28\)"`, sandbox.Limits{}},
		{"large file", py, "try:\n  with open('/tmp/x','wb') as f: f.truncate(1<<40)\nexcept OSError as e: result=e.errno",
			`result "27"`, sandbox.Limits{}},
		{"100,000 empty files", py, "import os, time\nfor i in range(100000): os.mkdir(f'/tmp/{i}')\ntime.sleep(60)", `^files`,
			sandbox.Limits{Time: time.Minute}},
		{"files in shared memory", py, "import os, time\nfor i in range(100000): os.mkdir(f'/dev/shm/{i}')\ntime.sleep(60)",
			`^files`, sandbox.Limits{Time: time.Minute}},
		{"link out", py, "import os\nos.symlink('/etc','l')\ntry: os.listdir('l')\nexcept OSError as e: result=e.errno",
			`result "2"`, sandbox.Limits{}},
		{"stops itself", py, "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nwhile True: pass", `^time`, short},
		{"a stopped child", py, "import os, signal\nif os.fork()==0: os.kill(os.getpid(), signal.SIGSTOP)\nos.wait()", `^time`, short},
		{"ignores signals", py, "import signal\nfor s in range(1,32):\n  try: signal.signal(s, signal.SIG_IGN)\n  except OSError: pass\n" +
			"while True: pass", `^time`, short},
		{"kills its group", py, "import os, signal\nos.kill(-1, 9) if 0 else None\ntry: os.killpg(0, 9)\nexcept OSError: pass\nresult='here'",
			`^exit 0; result "here"|^SIGKILL`, sandbox.Limits{}},
		{"a daemon", py, "import os, time\nif os.fork()==0:\n  os.setsid()\n  if os.fork()==0: time.sleep(600)\n  os._exit(0)\nos.wait()\n" +
			"result='done'", `^exit 0; result "done"`, sandbox.Limits{}},
		{"a daemon that holds the pipes", py, "import os, time\nif os.fork()==0: os.setsid(); time.sleep(600)\nresult='done'",
			`^exit 0; result "done"`, sandbox.Limits{}},
		{"SysV memory without a process", py, "import ctypes\nresult=ctypes.CDLL(None).shmget(0, 1<<20, 0o1600)", `result "-1"`,
			sandbox.Limits{}},
		{"memory of 8 processes", py, "import os, time\nfor i in range(8):\n  if os.fork()==0: b=bytearray(b'x'*(100<<20)); time.sleep(60);" +
			" os._exit(0)\ntime.sleep(60)", `^memory|^time`, sandbox.Limits{Time: 20 * time.Second}},
		{"setuid file", py, "import os\nopen('/tmp/x','w').close()\nos.chmod('/tmp/x', 0o4755)\nresult=os.getuid()", `result "65534"`,
			sandbox.Limits{}},
		{"endless loop", js, "for(;;);", `^time`, short},
		{"promises without end", js, "Promise.resolve().then(function f(){return Promise.resolve().then(f)})", `^time|^memory`, short},
		{"a timer without end", js, "setInterval(()=>{}, 1000)", `^time`, short},
		{"endless recursion", js, "function f(){return f()+1}; f()", `^exit 1;.*RangeError|Maximum call stack`, sandbox.Limits{}},
		{"heap", js, "const a=[];for(;;)a.push({a:[1,2,3]})", `^memory|^time`, sandbox.Limits{Time: time.Minute}},
		{"buffers", js, "const a=[];for(let i=0;i<200;i++)a.push(Buffer.alloc(16<<20,1))", `^memory|^exit 1;|^SIG`,
			sandbox.Limits{Time: time.Minute}},
		{"catastrophic regular expression", js, `/(a+)+\1$/.test('a'.repeat(40)+'b')`, `^time`, short},
		{"100 processes", js, "const {spawn}=require('child_process');let n=0;for(let i=0;i<100;i++){try{const c=spawn('/usr/bin/sleep'," +
			"['60']);c.on('error',()=>{});if(c.pid)n++}catch(e){}};require('fs').writeSync(3,'started '+(n<64));process.exit(0)",
			`result "started true"`, sandbox.Limits{Time: time.Minute}},
		{"files of the host", js, "try{result=require('fs').readFileSync('/etc/passwd')}catch(e){result=e.code}", `result "ENOENT"`,
			sandbox.Limits{}},
	} {
		t.Run(a.language+"/"+a.name, func(t *testing.T) {
			t.Parallel()
			a.try(t, engines[a.language])
		})
	}
}

// recorded has the scripts of the folder sandbox in CONCUR_DATA, and how each must end.
var recorded = map[string]string{
	"py_bomb.py": `^time`, "py_daemon.py": `^exit 0`, "py_daemon_hold.py": `^exit 0`,
	"py_equal_everything.py": `^exit 0;.*passed`, "py_files.py": `^exit 0`, "py_forge.py": `result "{.*forged`,
	"py_fork.py": `stopped at 63`, "py_hidden.py": `^files|^memory|^exit`, "py_killgrp.py": `^exit 0|^SIGKILL`,
	"py_list.py": memoryEnds, "py_loop.py": `^time`, "py_mp.py": `^memory|^time`, "py_mpfast.py": `^memory|^time`,
	"py_net.py": `^exit 0`, "py_out.py": `^output`, "py_rec.py": memoryEnds + `|^SIGSEGV`, "py_rec_plain.py": `RecursionError`,
	"py_regex.py": `^time`, "py_sockbuf.py": `^exit|^time`, "py_sort.py": memoryEnds, "py_sq.py": memoryEnds,
	"py_stop.py": `^time`, "py_sys.py": `^exit 0`, "py_tests_forge.py": `^exit 0`, "py_touch.py": memoryEnds,
	"js_fork.js": `^exit 0`, "js_heap.js": `^memory|^time`, "js_loop.js": `^time`, "js_mem.js": `^memory|^exit 1;|^SIG|^time`,
	"js_rec.js": `RangeError|call stack`, "js_regex.js": `^time`, "js_work.js": `^time|^memory|^SIG|^exit 1`,
}

// forbidden are texts that a recorded script prints if it reached something.
var forbidden = regexp.MustCompile(`CONNECTED|WRITTEN|'CREATED|(unshare|mount|bpf|perf|keyctl|io_uring|userfaultfd|ptrace1|` +
	`pvm_readv|memfd|setns|kcmp|open_by_handle|sethostname|TIOCSTI) \(\d+, 'OK'\)`)

func TestRecordedAttacks(t *testing.T) {
	data := os.Getenv("CONCUR_DATA")
	if data == "" || testing.Short() {
		t.Skip("CONCUR_DATA is not set, or -short is")
	}
	checkRemains(t)
	engines := startEngines(t)
	for name, want := range recorded {
		language := sandbox.Python
		if strings.HasSuffix(name, ".js") {
			language = sandbox.JavaScript
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, err := os.ReadFile(filepath.Join(data, "sandbox", name))
			if err != nil {
				t.Fatal(err)
			}
			attack{name, language, string(script), want, sandbox.Limits{}}.try(t, engines[language])
		})
	}
}

// The scripts that look around reach nothing.
func TestRecordedScriptsReachNothing(t *testing.T) {
	data := os.Getenv("CONCUR_DATA")
	if data == "" {
		t.Skip("CONCUR_DATA is not set")
	}
	e := sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	for _, name := range []string{"py_files.py", "py_net.py", "py_sys.py"} {
		script, err := os.ReadFile(filepath.Join(data, "sandbox", name))
		if err != nil {
			t.Fatal(err)
		}
		ended := run(t, e, sandbox.Python, string(script), sandbox.Limits{Time: 2 * time.Minute})
		lines := strings.Split(string(ended.Stdout), "\n")
		if len(lines) < 5 {
			t.Errorf("%s printed %q", name, ended.Stdout)
		}
		for _, line := range lines {
			writable := strings.HasPrefix(line, "w /tmp/x") || strings.HasPrefix(line, "w /dev/shm/x")
			if found := forbidden.FindString(line); found != "" && !writable {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}
