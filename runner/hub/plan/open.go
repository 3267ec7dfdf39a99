package plan

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/scratch"
	"github.com/seed-5817661a/concur/model/limit"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/assemble/programfiles"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/rate"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/store"
)

// Opener returns the function with which a worker opens the agents of a run at a hub. places is the number of traces
// that the worker makes at the same time.
func Opener(l *link.Link, a *assemble.Assembler, places int) Open {
	return Worker{Places: places}.Opener(l, a)
}

// Open opens the agents of a run.
type Open = func(context.Context, wire.Plan, worker.Object) (worker.Maker, error)

// Worker has the settings of a worker that its user chooses.
type Worker struct {
	Name   string // of the process, for what its agents say
	Places int    // traces at the same time
	// Programs allows runs to start agents and MCP servers on this machine that come with the run. Then everybody who
	// reaches the hub can start programs here.
	Programs bool
}

// Opener returns the function with which the worker opens the agents of a run at a hub.
func (w Worker) Opener(l *link.Link, a *assemble.Assembler) Open {
	return func(ctx context.Context, p wire.Plan, object worker.Object) (worker.Maker, error) {
		dir, err := scratch.New(kindOfFolder)
		if err != nil {
			return nil, err
		}
		draft, err := w.load(ctx, a, p, object, dir.Path())
		if err != nil {
			return nil, errors.Join(err, dir.Remove())
		}
		if err := letRead(dir.Path(), draft.Manifest); err != nil {
			return nil, errors.Join(err, dir.Remove())
		}
		o := assemble.Options{Permit: rate.NewTaker(l, p.Run).Take, Programs: programfiles.Folder(programsIn(dir.Path()))}
		return open(ctx, a, draft, dir, o, w.says(l, p.Run))
	}
}

// kindOfFolder is the beginning of the names of folders with the files of runs.
const kindOfFolder = "concur-work"

// programsIn returns the folder of agents and MCP servers within the folder of a run.
func programsIn(dir string) string { return filepath.Join(dir, "programs") }

// letRead lets the user of sandboxes read the programs of a run, if it is another user than that of the worker: root's
// programs in a sandbox have no rights of root. Others can then read them as well, but nothing else of the run.
func letRead(dir string, m store.Manifest) error {
	if os.Geteuid() != 0 || !slices.ContainsFunc(m.Configurations, func(c store.Configuration) bool {
		return programfiles.Sandboxed(c.Configuration)
	}) {
		return nil
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		return err
	}
	return filepath.WalkDir(programsIn(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o044
		if mode&0o100 != 0 {
			mode |= 0o011
		}
		return os.Chmod(path, mode)
	})
}

// load reads the plan into a folder, and returns the draft of the run with the files there.
func (w Worker) load(ctx context.Context, a *assemble.Assembler, p wire.Plan, object worker.Object,
	dir string) (d runner.Draft, err error) {
	raw, err := content(ctx, object, p.Manifest)
	if err != nil {
		return d, err
	}
	var m store.Manifest
	if err := yaml.Unmarshal(raw, &m); err != nil {
		return d, fmt.Errorf("read the manifest of the run: %w", err)
	}
	if m.Schema != "" && m.Schema != store.ManifestSchema {
		return d, fmt.Errorf("the manifest of the run has the schema %q, want %s", m.Schema, store.ManifestSchema)
	}
	here, err := unpack(ctx, p.Paths, object, dir)
	if err == nil {
		err = unpackFiles(ctx, p.Folder, object, programsIn(dir))
	}
	if err != nil {
		return d, err
	}
	replaced := func(path string) (string, error) {
		if at, is := here[path]; is {
			return at, nil
		}
		return "", fmt.Errorf("the plan lacks %s, which this concur needs: use the same concur everywhere", path)
	}
	for i := range m.Configurations {
		c := &m.Configurations[i].Configuration
		if err := w.allows(ctx, a, *c); err != nil {
			return d, err
		}
		if err := a.ReplacePaths(c, replaced); err != nil {
			return d, err
		}
		// These limits are those of the whole run; here only the places of this worker count.
		c.Limits.USD, c.Limits.Tokens, c.Limits.Concurrency, c.Prices = 0, 0, w.Places, ""
		c.Limits.TraceMB = min(cmp.Or(c.Limits.TraceMB, config.DefaultTraceMB), mostTraceMB)
	}
	source := m.Dataset.Source
	if !slices.Contains(datasets.Builtin(), source) {
		if source, err = replaced(source); err != nil {
			return d, err
		}
	}
	data, _, err := runner.ReopenSet(m, source)
	return runner.Draft{Manifest: m, Dataset: data, AllowSeen: true}, err
}

// mostTraceMB is the maximum of limits.trace_mb on a worker: less than a delivery can hold, because the last request of
// a trace may exceed the limit.
const mostTraceMB = wire.MaxContent>>20 - 8

// content reads an object, and checks that it has the hash that is its name.
func content(ctx context.Context, object worker.Object, name string) ([]byte, error) {
	raw, err := object(ctx, name)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != name {
		return nil, fmt.Errorf("object %.12s… of the plan is damaged: its SHA-256 is %.12x…", name, sum)
	}
	return raw, nil
}

// unpack writes files into a folder, and returns their new paths by their old ones.
func unpack(ctx context.Context, paths []wire.Path, object worker.Object, dir string) (map[string]string, error) {
	out := map[string]string{}
	for i, p := range paths {
		base := filepath.Base(filepath.FromSlash(p.Path))
		if !filepath.IsLocal(base) {
			return nil, fmt.Errorf("the plan has the path %q, which cannot be written", p.Path)
		}
		root := filepath.Join(dir, strconv.Itoa(i), base)
		if err := unpackFiles(ctx, p, object, root); err != nil {
			return nil, err
		}
		out[p.Path] = root
	}
	return out, nil
}

// unpackFiles writes the files of a path. root is the file, or the folder of the files.
func unpackFiles(ctx context.Context, p wire.Path, object worker.Object, root string) error {
	if err := os.MkdirAll(filepath.Dir(root), 0o700); err != nil {
		return err
	}
	if _, single := p.Files[""]; !single {
		if err := os.MkdirAll(root, 0o700); err != nil { // also without files
			return err
		}
	}
	for name, hash := range p.Files {
		if name != "" && !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the plan has the file %q, which is outside of its folder", name)
		}
		raw, err := content(ctx, object, hash)
		if err != nil {
			return err
		}
		path, mode := filepath.Join(root, filepath.FromSlash(name)), os.FileMode(0o600)
		if slices.Contains(p.Programs, name) {
			mode = 0o700
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, raw, mode); err != nil {
			return err
		}
	}
	return nil
}

// allows returns an error if the worker may not start the programs of a configuration, or cannot reach its agent.
func (w Worker) allows(ctx context.Context, a *assemble.Assembler, c config.Configuration) error {
	if programs := programfiles.Commands(c); len(programs) > 0 && !w.Programs {
		return fmt.Errorf("the run starts `%.80s` on this machine: start the worker with --allow-programs, if you trust "+
			"all who can reach the hub", strings.Join(programs[0], " "))
	}
	return a.ReachAgent(ctx, c)
}

// maker makes the traces of a run with the agents of a session.
type maker struct {
	local  *runner.Local
	agents []string
	arms   []runner.Arm
	query  string // the first one
	end    context.CancelFunc
	ended  chan error
	works  context.Context // ends when a model cannot go on; its cause says why
	dir    *scratch.Folder
	data   interface{ Close() error }
}

// open opens the agents of a draft. says returns functions for what they say, for the log and for the user.
func open(ctx context.Context, a *assemble.Assembler, d runner.Draft, dir *scratch.Folder, o assemble.Options,
	says func(warning bool) func(string)) (worker.Maker, error) {
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	opened := make(chan *assemble.Session)
	m := &maker{end: end, ended: make(chan error, 1), dir: dir, data: d.Dataset}
	go func() {
		o.AgentsOnly = true
		m.ended <- a.While(running, d, o, func(works context.Context, s *assemble.Session) error {
			m.works = works
			s.Models.LogTo(says(false), says(true))
			opened <- s
			<-running.Done() // a model that cannot go on ends this work, and not the worker: see Broken
			return nil
		})
	}()
	select {
	case s := <-opened:
		for _, arm := range s.Arms {
			m.agents = append(m.agents, arm.AgentHash)
		}
		slices.Sort(m.agents)
		m.agents = slices.Compact(m.agents)
		m.arms = s.Arms
		for m.query = range s.Dataset.IDs() {
			break
		}
		var err error
		if m.local, err = runner.NewLocal(s.Plan); err != nil {
			return nil, errors.Join(err, m.Close())
		}
		return m, nil
	case err := <-m.ended:
		m.ended <- nil
		return nil, errors.Join(err, m.Close())
	}
}

func (m *maker) Agents() []string { return m.agents }

func (m *maker) Run(ctx context.Context, job runner.Job, out runner.Buffer) error {
	return m.local.Run(ctx, job, out)
}

// Broken returns the error of an endpoint that was given up, perhaps because of the key of this machine. A model that
// refuses every request as invalid has the same settings at every worker: then it returns nil, so that the run ends.
func (m *maker) Broken() error {
	open, is := errors.AsType[*limit.OpenError](context.Cause(m.works))
	if !is || runner.NeverAnswered(open) {
		return nil
	}
	return open
}

// Close closes the agents, and removes the files of the run.
func (m *maker) Close() error {
	m.end()
	return errors.Join(<-m.ended, m.data.Close(), m.dir.Remove())
}
