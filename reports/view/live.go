package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
)

// state is what a page shows of what goes on.
type state struct {
	figures map[string]string
	version string // another one: the page has changed in more than its figures
	over    bool   // nothing will change any more
	failed  bool   // and the files cannot be read
}

// ending is the data of the last event.
var ending = map[bool]string{false: "complete", true: "failed"}

// watcher looks at the files of what is viewed, for all tabs that show it.
type watcher struct {
	tabs map[chan state]bool
	last *state // nil before the first look
	stop context.CancelFunc
}

// watch sends the state of what a key names, at once if it is known and whenever it changes.
// The first tab starts a watcher, and the last that leaves ends it.
func (s *server) watch(key string, look func(context.Context) (state, error)) (states <-chan state, leave func()) {
	tab := make(chan state, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.watchers[key]
	if w == nil {
		ctx, stop := context.WithCancel(s.ctx)
		w = &watcher{tabs: map[chan state]bool{}, stop: stop}
		s.watchers[key] = w
		s.begin(func() { s.poll(ctx, w, look) })
	}
	w.tabs[tab] = true
	if w.last != nil {
		tab <- *w.last
	}
	return tab, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if delete(w.tabs, tab); len(w.tabs) == 0 {
			w.stop()
			if s.watchers[key] == w {
				delete(s.watchers, key)
			}
		}
	}
}

// poll looks again and again, and hands changes to the tabs.
func (s *server) poll(ctx context.Context, w *watcher, look func(context.Context) (state, error)) {
	tick := time.NewTicker(s.Poll)
	defer tick.Stop()
	for {
		now, err := look(ctx)
		if err != nil && !errors.Is(err, errReading) {
			now = state{over: true, failed: true} // loaded again, the page says why
		}
		s.mu.Lock()
		if w.last == nil || !maps.Equal(now.figures, w.last.figures) || now.version != w.last.version || now.over {
			w.last = &now
			for tab := range w.tabs {
				select { // a tab that is slow gets the newest alone
				case <-tab:
				default:
				}
				tab <- now
			}
		}
		s.mu.Unlock()
		if now.over {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// stream sends states as server-sent events: figures by the names under which the page has
// them, "changed" where the page is to be loaded again, "end" as the last.
func (s *server) stream(w http.ResponseWriter, r *http.Request, key string, look func(context.Context) (state, error)) error {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return nil
	}
	states, leave := s.watch(key, look)
	defer leave()
	out := http.NewResponseController(w)
	version := ""
	for first := true; ; first = false {
		select {
		case <-r.Context().Done():
			return nil
		case now := <-states:
			raw, err := json.Marshal(now.figures)
			if err == nil {
				_, err = fmt.Fprintf(w, "event: figures\ndata: %s\n\n", raw)
			}
			if err == nil && (now.failed || !first && now.version != version) {
				_, err = fmt.Fprint(w, "event: changed\ndata:\n\n")
			}
			version = now.version
			if err == nil && now.over {
				_, err = fmt.Fprintf(w, "event: end\ndata: %s\n\n", ending[now.failed])
			}
			if err = errors.Join(err, out.Flush()); err != nil || now.over {
				return nil // the tab has gone, or nothing else will come
			}
		}
	}
}

// runEvents are the figures of a run that goes on.
func (s *server) runEvents(w http.ResponseWriter, r *http.Request, e *entry) error {
	return s.stream(w, r, "run "+e.name, func(ctx context.Context) (state, error) {
		p, err := s.progress(ctx, e, true)
		return state{figures: p.figures(), over: p.State == string(store.Complete)}, err
	})
}

// listEvents are the figures of all runs that go on. The list changes with its runs and their states.
func (s *server) listEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, "list", func(ctx context.Context) (state, error) {
		runs, _, err := s.entries()
		now := state{figures: map[string]string{}}
		for _, l := range runs {
			now.version += fmt.Sprintf("%q %s\n", l.Run, l.State)
			if l.State != store.Running {
				continue
			}
			p, err := s.progress(ctx, l.entry, false)
			if err != nil {
				continue // the list says so when it is loaded
			}
			for j, row := range p.Rows {
				key := liveKey(l.Run, j)
				now.figures[key+"done"], now.figures[key+"rate"] = row.Done, row.Rate
			}
		}
		return now, err
	})
}
