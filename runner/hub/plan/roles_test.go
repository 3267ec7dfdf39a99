package plan_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/store"
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
		err = beHub(os.Args[1], os.Args[2])
	case "worker":
		err = beWorker(os.Args[1], os.Args[2])
	case "coordinator":
		err = beCoordinator(os.Args[1], os.Args[2])
	default:
		err = fmt.Errorf("unknown role %s", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func say(text string) { fmt.Fprintln(os.Stderr, text) }

func beHub(listen, dir string) error {
	if _, err := server.Start(server.Options{Dir: dir, Listen: listen, Store: 64 << 20, Log: say}); err != nil {
		return err
	}
	select {}
}

func beWorker(url, name string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	l, err := link.Dial(ctx, link.Options{URL: url})
	for ; err != nil && link.Unreachable(err); l, err = link.Dial(ctx, link.Options{URL: url}) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	return worker.Work(ctx, worker.Options{Link: l, Name: name, Version: "test", Places: 4, Grace: 100 * time.Millisecond,
		Open: plan.Opener(l, assembler(), 4), Log: say})
}

// beCoordinator finishes the run in a folder.
func beCoordinator(url, dir string) error {
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	a := assembler()
	asked := run.Manifest.Configurations[0].Configuration
	asked.Name = run.Manifest.Configurations[0].Name
	d, err := runner.Retake{Settings: asked, Versions: a.Versions, Now: time.Now()}.Draft(run.Manifest)
	if err != nil {
		return err
	}
	defer d.Dataset.Close()
	return a.While(context.Background(), d, assemble.Options{Folder: dir}, func(ctx context.Context, s *assemble.Session) error {
		out, prior, err := run.Resume(time.Now(), d.Scope(false))
		if err != nil {
			return err
		}
		n, err := conducted(ctx, a, s, out, prior, url, plan.Settings{Log: say, Warn: say, Times: shortTimes})
		fmt.Fprintf(os.Stderr, "counts: %+v\n", n)
		return err
	})
}

// shortTimes are those of the run whose parts are killed, for which it does not matter how often a trace is made.
var shortTimes = coordinator.Times{AckWait: ackWait, LeaseEvery: 500 * time.Millisecond, LeaseFor: 2 * time.Second}

const ackWait = 2 * time.Second

// process is a running program of a test.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	done chan struct{}
	err  error // after done
}

// begun starts this program in a role. Its messages are shown if the test fails.
func begun(t testing.TB, role string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(os.Args[0], args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), roleVariable+"="+role)
	out, err := os.CreateTemp(t.TempDir(), role+"-*")
	if err == nil {
		p.cmd.Stderr = out
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() { p.err = p.cmd.Wait(); close(p.done) }()
	t.Cleanup(func() {
		p.kill()
		if raw, _ := os.ReadFile(out.Name()); t.Failed() && len(raw) > 0 {
			t.Logf("%s %v:\n%.3000s", role, args, raw)
		}
		out.Close()
	})
	return p
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}
