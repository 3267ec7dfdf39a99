package view

import (
	"errors"
	"io/fs"
	"net/http"
)

// problem is why a page cannot be shown.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

// explain shows what went wrong. Files of a run that cannot be read conflict with what they
// were when the run was written.
func (s *server) explain(w http.ResponseWriter, err error) {
	p, ok := errors.AsType[problem](err)
	switch {
	case ok:
	case errors.Is(err, errReading):
		w.Header().Set("Refresh", "1")
		p = problem{http.StatusAccepted, "This run is large, and its traces are being read for the first time. The page comes by itself."}
	case errors.Is(err, fs.ErrNotExist):
		p = problem{http.StatusGone, err.Error() + ". The run was deleted, moved or cut while it was shown."}
	default:
		p = problem{http.StatusConflict, err.Error()}
	}
	s.show(w, p.status, "problem", "Not shown", "", p.text)
}
