package plan_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// roleVariable makes this program a hub, a worker or a coordinator, which a test can kill.
const roleVariable = "CONCUR_HUB_TEST_ROLE"

func TestMain(m *testing.M) {
	var err error
	if os.Getenv(agentVariable) != "" {
		if err := beAgent(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case "hub":
		err = beHub(os.Args[1], os.Args[2], os.Args[3])
	case "worker":
		err = beWorker(os.Args[1], os.Args[2], os.Args[3], os.Args[4:])
	case "coordinator":
		err = beCoordinator(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	case "clock":
		fmt.Println(time.Now().Format(time.RFC3339))
	default:
		err = fmt.Errorf("unknown role %s", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func say(text string) { fmt.Fprintln(os.Stderr, text) }

func beHub(listen, dir, megabytes string) error {
	size, err := strconv.Atoi(megabytes)
	if err != nil {
		return err
	}
	o := server.Options{Dir: dir, Listen: listen, Store: int64(size) << 20, Log: say}
	if _, err := server.Start(o); err != nil {
		return err
	}
	select {}
}

// beWorker is a worker, which may have a fault: see faulty.
func beWorker(url, name, number string, fault []string) error {
	places, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	l, err := link.Dial(ctx, link.Options{URL: url})
	for ; err != nil && link.Unreachable(err); l, err = link.Dial(ctx, link.Options{URL: url}) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	say("waits for work")
	open := plan.Opener(l, assembler(), places)
	return worker.Work(ctx, worker.Options{Link: l, Name: name, Version: "test", Places: places, Grace: 100 * time.Millisecond,
		Open: func(ctx context.Context, p wire.Plan, object worker.Object) (worker.Maker, error) {
			m, err := open(ctx, p, object)
			if err == nil && len(fault) == 2 {
				m = faulty{m, fault[0], fault[1]}
			}
			return m, err
		},
		Log: say,
	})
}

// beCoordinator finishes the run in a folder: without a URL, here.
func beCoordinator(url, dir, losses, places string) error {
	most, err := strconv.Atoi(losses)
	atOnce, wrong := strconv.Atoi(places)
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	a := assembler()
	asked := run.Manifest.Configurations[0].Configuration
	asked.Name = run.Manifest.Configurations[0].Name
	if url == "" {
		asked.Limits.Concurrency = 64
	}
	d, err := runner.Retake{Settings: asked, Versions: a.Versions, Now: time.Now()}.Draft(run.Manifest)
	if err != nil {
		return err
	}
	defer d.Dataset.Close()
	var permits plan.Permits
	o := assemble.Options{Folder: dir, Permit: permits.Take}
	return a.While(context.Background(), d, o, func(ctx context.Context, s *assemble.Session) error {
		out, prior, err := run.Resume(time.Now(), d.Scope(false))
		if err != nil {
			return err
		}
		if url != "" {
			l, err := link.Dial(ctx, link.Options{URL: url})
			if err != nil {
				return err
			}
			defer l.Close()
			permits.Of(l, s.Draft.Manifest.Run)
		}
		n, err := conducted(ctx, a, s, out, prior, url, plan.Settings{Places: atOnce, Losses: most, Log: say, Warn: say, Times: shortTimes})
		fmt.Fprintf(os.Stderr, "counts: %+v\n", n)
		return err
	})
}

// shortTimes are those of the run whose parts are killed, for which it does not matter how often a trace is made.
var shortTimes = coordinator.Times{AckWait: ackWait, LeaseEvery: 500 * time.Millisecond, LeaseFor: 2 * time.Second}

const ackWait = 2 * time.Second

// faulty is a maker with a fault. "kills" QUERY ends the process in the first trace of this query; "pads" N adds an
// event with N random letters to each trace.
type faulty struct {
	worker.Maker
	fault, of string
}

func (f faulty) Run(ctx context.Context, job runner.Job, out runner.Buffer) error {
	switch f.fault {
	case "kills":
		if job.ID.Query == f.of && job.ID.Trace == 0 {
			time.Sleep(100 * time.Millisecond) // the traces beside it begin
			os.Exit(3)
		}
	case "pads":
		n, err := strconv.Atoi(f.of)
		if err != nil {
			return err
		}
		out = padding{out, n}
	}
	return f.Maker.Run(ctx, job, out)
}

// padding adds an event before the end of a trace.
type padding struct {
	runner.Buffer
	n int
}

func (p padding) Event(e trace.Event) {
	if _, ends := e.Body.(trace.Conclusion); ends && e.Path == "" {
		text := make([]byte, p.n)
		for i := range text {
			text[i] = byte('A' + rand.IntN(58))
		}
		p.Buffer.Event(trace.Event{ID: e.ID, Time: e.Time, Body: trace.Thought{Content: string(text)}})
	}
	p.Buffer.Event(e)
}

// process is a running program of a test.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	log  string // the file with its messages
	done chan struct{}
	err  error // after done
}

// begun starts this program in a role. Its messages are shown if the test fails.
func begun(t testing.TB, role string, args ...string) *process {
	t.Helper()
	return program(t, role, args...).start()
}

// program returns this program in a role, which has not started yet.
func program(t testing.TB, role string, args ...string) *process {
	p := &process{t: t, cmd: exec.Command(os.Args[0], args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return p
}

func (p *process) start() *process {
	p.t.Helper()
	out, err := os.CreateTemp(p.t.TempDir(), "log-*")
	if err == nil {
		p.cmd.Stderr, p.log = out, out.Name()
		err = p.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	go func() { p.err = p.cmd.Wait(); close(p.done) }()
	p.t.Cleanup(func() {
		p.kill()
		if raw, _ := os.ReadFile(p.log); p.t.Failed() && len(raw) > 0 {
			p.t.Logf("%v:\n%.3000s", p.cmd.Args, raw)
		}
		out.Close()
	})
	return p
}

func (p *process) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// reported returns whether the process has printed a message with this text.
func (p *process) reported(text string) bool { return p.reports(text) > 0 }

// reports returns how often the process has printed a text.
func (p *process) reports(text string) int {
	raw, err := os.ReadFile(p.log)
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Count(string(raw), text)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}
