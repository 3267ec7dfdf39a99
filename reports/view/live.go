package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
)

// state is the state of the figures on a page of an active run.
type state struct {
	figures map[string]string
	version string // changes if more than the figures of the page changed
	over    bool   // nothing will change any more
}

// stream polls look and sends changes as server-sent events: "figures" with the figures by their names on the
// page, "changed" if the page must be loaded again, and "end" at the end.
func (s *server) stream(w http.ResponseWriter, r *http.Request, look func() (state, error)) error {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return nil
	}
	out := http.NewResponseController(w)
	tick := time.NewTicker(s.Poll)
	defer tick.Stop()
	var figures, version string
	for first := true; ; first = false {
		var events strings.Builder
		now, err := look()
		if raw, _ := json.Marshal(now.figures); err == nil && string(raw) != figures {
			figures = string(raw)
			fmt.Fprintf(&events, "event: figures\ndata: %s\n\n", raw)
		}
		if err != nil || !first && now.version != version { // when it is loaded again, the page shows the error
			events.WriteString("event: changed\ndata:\n\n")
		}
		version = now.version
		switch {
		case err != nil:
			events.WriteString("event: end\ndata: failed\n\n")
		case now.over:
			events.WriteString("event: end\ndata: complete\n\n")
		}
		_, gone := io.WriteString(w, events.String())
		if errors.Join(gone, out.Flush()) != nil || err != nil || now.over {
			return nil
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return nil
		}
	}
}

// runEvents sends the live figures of an active run.
func (s *server) runEvents(w http.ResponseWriter, r *http.Request, e *entry) error {
	return s.stream(w, r, func() (state, error) {
		p, err := progress(r.Context(), e, true)
		return state{figures: p.figures(), over: p.State == string(store.Complete)}, err
	})
}

// listEvents sends the live figures of all active runs. The page must be loaded again when a run is added or
// changes its state.
func (s *server) listEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, func() (state, error) {
		runs, _, err := s.entries()
		now := state{figures: map[string]string{}}
		for _, l := range runs {
			now.version += fmt.Sprintf("%q %s\n", l.Run, l.State)
			if l.State != store.Running {
				continue
			}
			p, err := progress(r.Context(), l.entry, false)
			if err != nil {
				continue // the list shows the error
			}
			for j, row := range p.Rows {
				key := liveKey(l.Run, j)
				now.figures[key+"done"], now.figures[key+"rate"] = row.Done, row.Rate
			}
		}
		return now, err
	})
}
