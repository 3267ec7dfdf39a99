package view

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Labelling lets the person who opens the pages write verdicts on the answers of one run, into the file of `concur
// label`. Its methods may be called while it is served.
type Labelling struct {
	Run    string // name of the run's folder
	Author string
	Order  []labels.Candidate // of [labels.Order]

	mu    sync.Mutex
	given int
	seen  map[answerKey]bool // answers whose verdict was shown
}

// Given returns the number of labels that were written.
func (l *Labelling) Given() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.given
}

type answerKey struct{ configuration, query string }

// labelBody is the page of one answer to label.
type labelBody struct {
	Run, Report, Self, Trace string
	Done, All                int
	Query, Configuration     string // Configuration is "" in a run with one; see Of
	Of                       string // configuration of the answer
	Question, Expected       string
	Answer, Message          string
	Shown                    string // the verdict so far, if the person asked for it
	Show                     string // address that shows it
	Label                    *store.Label
	Stamp                    string // of Label; a form with an old one is refused
	Last                     string // address of the answer that was labelled last
	LastWas                  string
	Over                     bool // all answers are labelled
}

// The limits of a form: its size in bytes, and the length of a reason in characters.
const (
	largestForm   = 64 << 10
	longestReason = 2000
)

// labelPath reports whether a path is that of the form for labels.
func (s *server) labelPath(path string) bool {
	return s.Label != nil && path == runAddress(s.root, s.Label.Run)+"label"
}

// mayPost reports whether a form comes from a page of this server. Browsers send Origin with each form, and guard has
// checked its value.
func (s *server) mayPost(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return len(r.Header.Values("Origin")) == 1 && (site == "" || site == "same-origin")
}

// label shows an answer to label, or writes a label.
func (s *server) label(w http.ResponseWriter, r *http.Request, e *entry) error {
	if s.Label == nil || e.name != s.Label.Run {
		return problem{http.StatusNotFound, "Labels are not written here: start concur view with this run and --label."}
	}
	w.Header().Set("Referrer-Policy", "same-origin") // with no-referrer, browsers hide the origin of a form
	if r.Method == http.MethodPost {
		return s.writeLabel(w, r, e)
	}
	run, err := e.open()
	if err != nil {
		return err
	}
	now, err := current(run)
	if err != nil {
		return err
	}
	at := runAddress(s.root, e.name)
	body := labelBody{Run: e.name, Report: at, Self: at + "label", All: len(s.Label.Order)}
	for _, c := range s.Label.Order {
		if _, labelled := now[keyOf(c)]; labelled {
			body.Done++
		}
	}
	asks := r.URL.Query()
	if last := (answerKey{asks.Get("lastof"), asks.Get("last")}); last.query != "" {
		if l, labelled := now[last]; labelled {
			body.Last, body.LastWas = body.Self+"?"+addressOf(last).Encode(), last.query+" is "+wordOf(l.Verdict)
		}
	}
	chosen := slices.IndexFunc(s.Label.Order, func(c labels.Candidate) bool {
		if asks.Has("query") {
			return keyOf(c) == answerKey{asks.Get("of"), asks.Get("query")}
		}
		_, labelled := now[keyOf(c)]
		return !labelled
	})
	switch {
	case chosen < 0 && asks.Has("query"):
		return problem{http.StatusNotFound, "The run has no such answer that can be labelled."}
	case chosen < 0:
		body.Over = true
	default:
		err = s.describe(r, e, &body, s.Label.Order[chosen], now)
	}
	if err != nil {
		return err
	}
	s.show(w, http.StatusOK, "label", "Label answers", "", body)
	return nil
}

// describe fills in the page of an answer.
func (s *server) describe(r *http.Request, e *entry, body *labelBody, c labels.Candidate,
	now map[answerKey]store.Label) error {
	rec, key := c.Record, keyOf(c)
	body.Query, body.Of, body.Question, body.Expected = rec.Query, rec.Configuration, rec.Question, rec.Expected
	id := trace.ID{Agent: rec.Agent, Query: rec.Query, Trace: c.Answer.Trace}
	body.Trace = s.traceAt(e.name, id)
	if body.Answer = string(c.Answer.Outcome); c.Answer.Answer != nil {
		body.Answer = *c.Answer.Answer
	}
	run, index, err := e.traces(r.Context())
	if err != nil {
		return err
	}
	if len(run.Manifest.Configurations) > 1 {
		body.Configuration = rec.Configuration
	}
	events, err := index.ReadEvents(run, id)
	if err != nil {
		return err
	}
	for _, event := range events {
		if end, is := event.Body.(trace.Conclusion); is && event.Path == "" {
			body.Message = end.Message
		}
	}
	if l, labelled := now[key]; labelled {
		body.Label, body.Stamp = &l, stamp(l)
	}
	show := addressOf(key)
	show.Set("verdict", "1")
	body.Show = body.Self + "?" + show.Encode()
	if r.URL.Query().Has("verdict") {
		before := rec.Before()
		body.Shown = wordOf(before.Verdict) + " by " + string(before.By) + ": " + before.Reason
		s.Label.mu.Lock()
		if s.Label.seen == nil {
			s.Label.seen = map[answerKey]bool{}
		}
		s.Label.seen[key] = true
		s.Label.mu.Unlock()
	}
	return nil
}

// writeLabel writes the label of a form, and leads to the next answer.
func (s *server) writeLabel(w http.ResponseWriter, r *http.Request, e *entry) error {
	r.Body = http.MaxBytesReader(w, r.Body, largestForm)
	if err := r.ParseForm(); err != nil {
		return problem{http.StatusBadRequest, "The form cannot be read: shorten the reason, and send it again."}
	}
	key := answerKey{r.PostForm.Get("of"), r.PostForm.Get("query")}
	at := slices.IndexFunc(s.Label.Order, func(c labels.Candidate) bool { return keyOf(c) == key })
	verdict := judge.Ruling(r.PostForm.Get("verdict"))
	switch {
	case at < 0:
		return problem{http.StatusNotFound, "The run has no such answer that can be labelled."}
	case verdict != judge.Correct && verdict != judge.Incorrect && verdict != judge.Unscored:
		return problem{http.StatusBadRequest, "The form has no verdict: use one of its buttons."}
	}
	reason := strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(r.PostForm.Get("reason"), "")))
	if utf8.RuneCountInString(reason) > longestReason {
		return problem{http.StatusBadRequest, "The reason has more than " + strconv.Itoa(longestReason) +
			" characters: shorten it."}
	}
	run, err := e.open()
	if err != nil {
		return err
	}
	s.Label.mu.Lock()
	defer s.Label.mu.Unlock()
	now, err := current(run)
	if err != nil {
		return err
	}
	if l, labelled := now[key]; labelled && stamp(l) != r.PostForm.Get("stamp") {
		return problem{http.StatusConflict, "This answer was labelled " + wordOf(l.Verdict) + " by " + l.Author +
			" after the page was loaded: load it again, and nothing is lost."}
	}
	c := s.Label.Order[at]
	label := store.Label{Configuration: key.configuration, Query: key.query, Trace: c.Answer.Trace, Verdict: verdict,
		Reason: reason, Author: s.Label.Author, Time: time.Now().UTC(), Seen: s.Label.seen[key], Draw: &c.Draw}
	if err := run.AddLabel(r.Context(), label); err != nil {
		return err
	}
	s.Label.given++
	next := url.Values{"last": {key.query}, "lastof": {key.configuration}}
	http.Redirect(w, r, runAddress(s.root, e.name)+"label?"+next.Encode(), http.StatusSeeOther)
	return nil
}

// current returns the labels that count, by the answers.
func current(run *store.Run) (map[answerKey]store.Label, error) {
	all, err := run.Labels()
	out := map[answerKey]store.Label{}
	for _, l := range all {
		out[answerKey{l.Configuration, l.Query}] = l
	}
	return out, err
}

func keyOf(c labels.Candidate) answerKey { return answerKey{c.Record.Configuration, c.Record.Query} }

// addressOf returns the parameters of the page of an answer.
func addressOf(key answerKey) url.Values {
	return url.Values{"query": {key.query}, "of": {key.configuration}}
}

// stamp identifies a label, so that it can be distinguished from earlier labels of the same answer.
func stamp(l store.Label) string { return l.Time.Format(time.RFC3339Nano) + " " + string(l.Verdict) }

// wordOf returns the word for a verdict.
func wordOf(verdict judge.Ruling) string {
	return map[judge.Ruling]string{judge.Correct: "right", judge.Incorrect: "wrong",
		judge.Unscored: "not decided"}[verdict]
}
