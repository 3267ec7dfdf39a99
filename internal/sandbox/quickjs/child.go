package quickjs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/quickjs"

	"github.com/seed-5817661a/concur/internal/child"
	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/runners"
)

// setup has the limits of the jobs of a pool.
type setup struct {
	Memory int64 `json:"memory"` // bytes
	Output int64 `json:"output"` // bytes of each output and of the result
}

// question is a job.
type question struct {
	Script string        `json:"script"`
	Input  string        `json:"input"` // a runners.Request
	Time   time.Duration `json:"time"`
}

// answer is how a job ended.
type answer struct {
	Result []byte       `json:"result"`
	Stdout []byte       `json:"stdout"`
	Stderr []byte       `json:"stderr"`
	Exit   int          `json:"exit"`
	Stop   sandbox.Stop `json:"stop"`
}

const (
	// maxFiles is the limit of descriptors: the streams and the one that Go waits with. Nothing can be opened after it.
	maxFiles = 4
	// topLevelAwait is JS_EVAL_FLAG_ASYNC of quickjs.h: await is allowed outside functions, and the value of a script
	// is a promise of an object with its last value.
	topLevelAwait = 1 << 7
	maxStackLines = 20
	scriptName    = "script.js" // in stacks
)

func init() { child.Main(work, begin) }

// machine is the interpreter of one job.
type machine struct {
	vm       *quickjs.VM
	setup    setup
	deadline time.Time
	out, err strings.Builder
	full     bool // an output is longer than the limit
	runner   map[string]quickjs.Value
}

// begin makes the interpreter and closes the process. The script comes afterwards.
func begin(s setup) (func(question) any, error) {
	vm, err := quickjs.NewVM()
	if err != nil {
		return nil, err
	}
	vm.SetMemoryLimit(uintptr(s.Memory / 2))
	vm.SetModuleLoader(func(_ *quickjs.VM, name string) (string, error) {
		return "", errors.New("there are no modules: " + name)
	}, nil)
	m := &machine{vm: vm, setup: s, deadline: time.Now().Add(time.Minute)}
	if err := m.load(); err != nil {
		return nil, err
	}
	if err := child.Confine(uint64(s.Memory), maxFiles); err != nil {
		return nil, err
	}
	return func(q question) any { return m.run(q) }, nil
}

// load evaluates the runner, and removes the host's function from the global object.
func (m *machine) load() error {
	const name = "__concur_write"
	if err := m.vm.RegisterHostFunc(name, m.write); err != nil {
		return err
	}
	made, err := m.vm.EvalValue("{ const write = "+name+"; delete globalThis."+name+"; "+
		strings.TrimSpace(runners.QuickJS())+"(write) }", quickjs.EvalGlobal)
	if err != nil {
		return err
	}
	m.runner = map[string]quickjs.Value{}
	for _, name := range []string{"begin", "settle", "finish", "problem"} {
		atom, err := m.vm.NewAtom(name)
		if err == nil {
			m.runner[name], err = made.GetPropertyValue(atom)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write is the host's function. It stops a script that prints without end.
func (m *machine) write(values []any) (any, error) {
	if len(values) != 2 {
		return nil, errors.New("write takes a stream and a text")
	}
	text, _ := values[1].(string)
	if fmt.Sprint(values[0]) == "2" {
		m.add(&m.err, text)
	} else {
		m.add(&m.out, text)
	}
	return nil, nil
}

// add adds a text to an output. It interrupts the script when the output is full.
func (m *machine) add(to *strings.Builder, text string) {
	room := int(m.setup.Output) - to.Len()
	if len(text) > room {
		text = text[:max(room, 0)]
		m.full = true
		m.vm.Interrupt()
	}
	to.WriteString(text)
}

// call calls a function of the runner.
func (m *machine) call(name string, values ...any) (quickjs.Value, error) {
	if err := m.arm(); err != nil {
		return quickjs.Value{}, err
	}
	return m.runner[name].CallValue(quickjs.UndefinedValue, values...)
}

var errLate = errors.New("interrupted")

// arm gives the next step the rest of the time: the interpreter's limit begins again with every call.
func (m *machine) arm() error {
	rest := time.Until(m.deadline)
	if rest <= 0 || m.full {
		return errLate
	}
	return m.vm.SetEvalTimeout(rest)
}

// jobs runs what promises have queued, until nothing is.
func (m *machine) jobs() error {
	for {
		if err := m.arm(); err != nil {
			return err
		}
		n, err := m.vm.ExecutePendingJobs()
		if err != nil && !strings.Contains(err.Error(), "aborted draining") {
			return err
		}
		if n == 0 {
			return nil
		}
	}
}

func (m *machine) run(q question) answer {
	m.deadline = time.Now().Add(q.Time)
	reply, problem, err := "", "", child.LimitCPU(q.Time+time.Second)
	if err == nil {
		reply, problem, err = m.steps(q)
	}
	a := answer{Result: []byte(reply)}
	if err != nil {
		a.Stop, problem = m.explain(err)
		first, _, _ := strings.Cut(problem, "\n")
		a.Result, _ = json.Marshal(runners.Reply{Error: first, Memory: a.Stop == sandbox.StopMemory})
	}
	if problem != "" {
		a.Exit = 1
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(problem, "<eval>", scriptName)), "\n")
		if strings.HasSuffix(lines[0], outOfMemory) { // an exception in a promise
			a.Stop = sandbox.StopMemory
		}
		m.add(&m.err, strings.Join(lines[:min(len(lines), maxStackLines)], "\n")+"\n")
	}
	if len(a.Result) > int(m.setup.Output) {
		a.Result = nil // the script has replaced what the runner measures it with
	}
	a.Stdout, a.Stderr = []byte(m.out.String()), []byte(m.err.String())
	return a
}

// explain returns the limit that an error of the interpreter is about, and the error with its stack.
func (m *machine) explain(err error) (sandbox.Stop, string) {
	text, stack := strings.TrimSpace(err.Error()), ""
	if e, is := errors.AsType[*quickjs.Error](err); is {
		stack = e.Stack
	}
	switch {
	case m.full:
		return sandbox.StopOutput, "output"
	case errors.Is(err, errLate), strings.HasSuffix(text, "interrupted") && !time.Now().Before(m.deadline):
		return sandbox.StopTime, "interrupted"
	case text == "" || text == "null": // the engine had no memory to make the exception
		return sandbox.StopMemory, outOfMemory
	case strings.HasSuffix(text, outOfMemory):
		return sandbox.StopMemory, text
	}
	return sandbox.NotStopped, text + "\n" + stack
}

const outOfMemory = "out of memory"

// steps runs the script to its reply. problem is the error in the reply, with its stack.
func (m *machine) steps(q question) (reply, problem string, err error) {
	if _, err = m.call("begin", q.Input); err != nil {
		return "", "", err
	}
	if err = m.arm(); err != nil {
		return "", "", err
	}
	script, err := m.vm.EvalValue(q.Script, topLevelAwait)
	if err == nil {
		err = m.jobs()
	}
	if err == nil {
		_, err = m.call("settle", script)
	}
	if err == nil {
		err = m.jobs() // promises of the script and of main
	}
	if err == nil {
		reply, err = m.text("finish")
	}
	if err == nil {
		problem, err = m.text("problem")
	}
	return reply, problem, err
}

// text calls a function of the runner that returns a text.
func (m *machine) text(name string) (string, error) {
	if err := m.arm(); err != nil {
		return "", err
	}
	value, err := m.runner[name].Call(quickjs.UndefinedValue)
	if err != nil {
		return "", err
	}
	text, is := value.(string)
	if !is {
		return "", fmt.Errorf("the runner's %s returned %T", name, value)
	}
	return text, nil
}
