package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// look looks for runs until ctx is done.
func (w *worker) look(ctx context.Context) {
	for ctx.Err() == nil {
		within, cancel := context.WithTimeout(ctx, link.Timeout)
		runs, err := w.Link.Runs(within)
		cancel()
		if err == nil {
			for _, run := range runs {
				w.engage(ctx, run)
			}
			w.leave(runs)
		}
		pause(ctx, lookEvery)
	}
}

// engage begins to work on a run, unless the worker already does.
func (w *worker) engage(ctx context.Context, run wire.Run) {
	w.mu.Lock()
	before := w.runs[run]
	w.mu.Unlock()
	switch {
	case before == nil:
	case before.maker == nil && time.Since(before.openTime) < max(openEvery, before.rest):
		return
	case before.maker != nil && !w.changed(ctx, before):
		return
	}
	e := &engagement{run: run, running: map[string]bool{}, over: make(chan struct{}), openTime: time.Now()}
	if before != nil {
		e.rest = before.rest
	}
	p, err := OpenRun(ctx, w.Link, run, w.Open)
	e.maker, e.plan, e.digest, e.checked = p.Maker, p.Plan, p.digest, time.Now()
	if ctx.Err() != nil {
		if e.maker != nil {
			_ = e.maker.Close()
		}
		return
	}
	if err != nil {
		e.cause = err.Error()
	}
	switch {
	case err != nil && (before == nil || before.cause != e.cause):
		w.Log(fmt.Sprintf("run %s: no work is taken: %v", run, err))
	case err == nil:
		w.Log(fmt.Sprintf("run %s: ready for %d traces at once", run, w.Places))
	}
	w.say(e) // before its places take work
	w.mu.Lock()
	w.runs[run] = e
	if before != nil && before.maker != nil {
		before.retired = time.Now()
		w.retired = append(w.retired, before)
	}
	w.mu.Unlock()
}

// disengage ends the work on a run whose agents are broken here. Otherwise this worker would fail one trace after the
// other, faster than other workers make them. It tries again later, because an endpoint may have been down.
func (w *worker) disengage(e *engagement, cause error) {
	w.mu.Lock()
	if w.runs[e.run] != e {
		w.mu.Unlock()
		return // another trace has found it
	}
	none := &engagement{run: e.run, running: map[string]bool{}, over: make(chan struct{}), openTime: time.Now(),
		rest: min(max(openEvery, 2*e.rest), mostRest), cause: cause.Error()}
	w.runs[e.run] = none
	e.retired = time.Now()
	w.retired = append(w.retired, e)
	w.mu.Unlock()
	w.Log(fmt.Sprintf("run %s: no more work is taken for %v: %v", e.run, none.rest, cause))
	w.say(none)
}

// changed reports whether the plan of a run is another one now: a run may be resumed with other limits.
func (w *worker) changed(ctx context.Context, e *engagement) bool {
	if time.Since(e.checked) < planEvery {
		return false
	}
	e.checked = time.Now()
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	bucket, err := w.Link.JS.ObjectStore(ctx, e.run.Bucket())
	if err != nil {
		return false
	}
	info, err := bucket.GetInfo(ctx, wire.PlanObject)
	return err == nil && info.Digest != e.digest
}

// Plan is the plan of a run, with its agents on this machine.
type Plan struct {
	wire.Plan
	Maker  Maker
	digest string // of the object with the plan
}

// OpenRun loads the plan of a run from a hub, opens its agents, and compares their hashes.
func OpenRun(ctx context.Context, l *link.Link, run wire.Run,
	open func(context.Context, wire.Plan, Object) (Maker, error)) (p Plan, err error) {
	bucket, err := l.JS.ObjectStore(ctx, run.Bucket())
	if err != nil {
		return p, fmt.Errorf("open the plan: %w", err)
	}
	object := func(ctx context.Context, name string) ([]byte, error) {
		raw, err := bucket.GetBytes(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("read the plan: object %.40q: %w", name, err)
		}
		return raw, nil
	}
	info, err := bucket.GetInfo(ctx, wire.PlanObject) // before the plan, so that a change in between is noticed later
	if err != nil {
		return p, fmt.Errorf("read the plan: %w", err)
	}
	p.digest = info.Digest
	raw, err := object(ctx, wire.PlanObject)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(raw, &p.Plan); err != nil || p.Schema != wire.PlanSchema || p.Run != run {
		return p, fmt.Errorf("read the plan: schema %q of run %q, want %s; use the same concur everywhere",
			p.Schema, p.Run, wire.PlanSchema)
	}
	maker, err := open(ctx, p.Plan, object)
	if err != nil {
		return p, err
	}
	own := slices.Sorted(slices.Values(maker.Agents()))
	if !slices.Equal(own, slices.Sorted(slices.Values(p.Agents))) {
		_ = maker.Close()
		return p, fmt.Errorf("the agents here are %s, those of the run %s: the worker has other tools, keys, "+
			"prompts or rules, or another concur", strings.Join(own, ", "), strings.Join(p.Agents, ", "))
	}
	p.Maker = maker
	return p, nil
}

// leave ends the work on runs that are no longer at the hub.
func (w *worker) leave(there []wire.Run) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for run, e := range w.runs {
		if slices.Contains(there, run) {
			e.missing = 0
			continue
		}
		if e.missing++; e.missing < goneLooks || !e.idle() {
			continue
		}
		delete(w.runs, run)
		if e.maker != nil {
			w.Log(fmt.Sprintf("run %s has ended", run))
			w.end(e)
		}
	}
	w.retired = slices.DeleteFunc(w.retired, func(e *engagement) bool {
		if !slices.Contains(there, e.run) {
			e.missing++
		}
		ends := e.idle() && time.Since(e.retired) > goneLooks*lookEvery // a place may still wait for its work
		if ends {
			w.end(e)
		}
		return ends
	})
}

// idle reports whether no trace of the run is being made.
func (e *engagement) idle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.running) == 0
}

// end closes the agents of a run.
func (w *worker) end(e *engagement) {
	if err := e.maker.Close(); err != nil {
		w.Log(fmt.Sprintf("run %s: close its agents: %v", e.run, err))
	}
}

// ended reports whether a run has been missing at the hub for so long that its coordinator would have made it again:
// a coordinator looks twice in one AckWait.
func (w *worker) ended(e *engagement) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Duration(e.missing-goneLooks)*lookEvery > e.plan.AckWait
}

// live says that the worker lives, until ctx is done.
func (w *worker) live(ctx context.Context) {
	for ctx.Err() == nil {
		every := aliveEvery
		w.mu.Lock()
		engaged := slices.Collect(maps.Values(w.runs))
		w.mu.Unlock()
		for _, e := range engaged {
			w.say(e)
			if wait := e.plan.AckWait; wait > 0 {
				every = min(every, wait/4) // a worker that is not heard for one AckWait is lost
			}
		}
		pause(ctx, every)
	}
}

// say tells the coordinator of a run that the worker lives, or why it does not work. The messages are not stored: an
// error has the same effect as a message that is lost.
func (w *worker) say(e *engagement) {
	if e.maker == nil {
		_ = w.Link.Conn.Publish(e.run.TroubleSubject(), wire.Trouble{Worker: w.Name, Cause: e.cause}.Encode())
		return
	}
	e.mu.Lock()
	running := slices.Sorted(maps.Keys(e.running))
	e.mu.Unlock()
	_ = w.Link.Conn.Publish(e.run.AliveSubject(w.Name),
		wire.Alive{Worker: w.Name, Version: w.Version, Places: w.Places, Running: running}.Encode())
}

// answer tells who the worker is, with its traces of all runs. It tells the same to the coordinators of its runs, one
// of which may have begun just now.
func (w *worker) answer(m *nats.Msg) {
	a := wire.Alive{Worker: w.Name, Version: w.Version, Places: w.Places, Running: []string{}}
	w.mu.Lock()
	engaged := slices.Collect(maps.Values(w.runs))
	w.mu.Unlock()
	for _, e := range engaged {
		w.say(e)
		e.mu.Lock()
		a.Running = slices.AppendSeq(a.Running, maps.Keys(e.running))
		e.mu.Unlock()
	}
	slices.Sort(a.Running)
	_ = m.Respond(a.Encode()) // whoever asks can ask again; a coordinator expects no answer
}

// set notes that a trace runs, or that it has ended.
func (e *engagement) set(key string, runs bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if runs {
		e.running[key] = true
		return
	}
	delete(e.running, key)
}

// inProgress returns the time between two messages that a trace is being made.
func (e *engagement) inProgress() time.Duration { return max(e.plan.AckWait/3, 10*time.Millisecond) }
