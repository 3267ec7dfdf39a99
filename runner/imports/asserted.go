package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/datasets/promptfoo"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/checking"
)

// tests are the tests in promptfoo's results, as queries with checks.
type tests struct {
	log    *Log
	beside fs.FS
	ids    map[string]string // of queries, by the content of the test
	taken  map[string]bool   // ids of queries
	named  map[string]int    // number of tests, by description
	listed []*loss
	losses map[[2]string]*loss       // the same, by what and why
	checks map[string]*checking.List // of the queries that have checks for all of their assertions, by id

	alike, compared int    // messages for which checks and promptfoo have the same verdict; all that were compared
	other           string // the first one with another verdict
}

// loss is a kind of assertion without a counterpart, or the reason for which a test has no checks.
type loss struct {
	what, why string
	at        []int    // numbers of the tests, from 1, in the order of the file
	ids       []string // ids of their queries
}

func newTests(l *Log, beside fs.FS) *tests {
	return &tests{log: l, beside: beside, ids: map[string]string{}, taken: map[string]bool{}, named: map[string]int{},
		losses: map[[2]string]*loss{}, checks: map[string]*checking.List{}}
}

// query returns the id of the query of a result, and adds the query if it is new.
func (s *tests) query(x promptfooResult) (string, error) {
	var test struct {
		Description                string
		Assert, Threshold, Options json.RawMessage
	}
	if err := json.Unmarshal(x.TestCase, &test); err != nil && len(x.TestCase) > 0 {
		return "", err
	}
	key, err := json.Marshal([]any{x.Vars, test.Assert, test.Description, test.Threshold, test.Options})
	if err != nil {
		return "", err
	}
	if id, known := s.ids[string(key)]; known {
		return id, nil
	}
	to := promptfoo.Judging{LeftOut: "has no assertions"}
	if len(x.TestCase) > 0 {
		if to, err = (promptfoo.ResultTest{Test: x.TestCase, Vars: x.Vars, Beside: s.beside}).Judging(); err != nil {
			return "", err
		}
	}
	name := cmp.Or(test.Description, "test-"+strconv.Itoa(len(s.ids)+1))
	q := x.query(name)
	q.Checks, q.Gold.Condition = to.Checks, to.Condition
	id := s.log.query(q)
	for s.taken[id] { // another test has the same description
		s.named[name]++
		q.ID = name + "-" + strconv.Itoa(s.named[name]+1)
		id = s.log.query(q)
	}
	s.ids[string(key)], s.taken[id] = id, true
	for _, f := range to.Losses {
		s.lose(f.What, f.Why, id)
	}
	if to.LeftOut != "" {
		s.lose("", to.LeftOut, id)
	}
	if len(to.Losses) == 0 && to.LeftOut == "" && to.Condition == "" {
		if s.checks[id], err = checking.Prepare(to.Checks); err != nil {
			return "", err
		}
	}
	return id, nil
}

// lose notes what has no counterpart in the newest test.
func (s *tests) lose(what, why, id string) {
	of := s.losses[[2]string{what, why}]
	if of == nil {
		of = &loss{what: what, why: why}
		s.listed, s.losses[[2]string{what, why}] = append(s.listed, of), of
	}
	if n := len(s.ids); len(of.at) == 0 || of.at[len(of.at)-1] != n {
		of.at, of.ids = append(of.at, n), append(of.ids, id)
	}
}

// compare compares the verdict of promptfoo on a message with that of the checks. place names the message.
func (s *tests) compare(id, place string, x promptfooResult, t Trace) {
	list := s.checks[id]
	if list == nil || t.Verdict == nil {
		return
	}
	tokens := t.Usage.InputTokens + t.Usage.OutputTokens
	results, err := list.Check(context.Background(), checking.Subject{Message: t.Message, Seconds: &t.Seconds, USD: x.Cost,
		Tokens: &tokens})
	v := checking.Verdict(results)
	if err != nil || v.Verdict == judge.Unscored { // such as similar, which needs a model
		return
	}
	s.compared++
	switch {
	case v.Verdict == t.Verdict.Verdict:
		s.alike++
	case s.other == "":
		s.other = fmt.Sprintf("%s: %s by promptfoo (%s), %s by checks (%s)", place, t.Verdict.Verdict,
			text.Clip(t.Verdict.Reason, 100), v.Verdict, text.Clip(v.Reason, 100))
	}
}

// notes returns the notes about all tests.
func (s *tests) notes() (out []string) {
	for _, l := range s.listed {
		if l.what == "" {
			out = append(out, fmt.Sprintf("without checks: %s: %s", l.tests(), l.why))
		} else {
			out = append(out, fmt.Sprintf("not converted: %s of %s: %s", l.what, l.tests(), l.why))
		}
	}
	judged := 0
	for _, q := range s.log.Queries {
		if len(q.Checks) > 0 || q.Gold.Condition != "" {
			judged++
		}
	}
	if judged > 0 {
		out = append(out, fmt.Sprintf("%d of %s can be judged by concur: concur rejudge latest-import", judged,
			text.Counted(len(s.log.Queries), "test")))
	}
	if s.compared > 0 {
		line := fmt.Sprintf("checks and promptfoo have the same verdict on %d of %s", s.alike,
			text.Counted(s.compared, "message"))
		if s.other != "" {
			line += "; first difference: " + s.other
		}
		out = append(out, line)
	}
	return out
}

// mostNamed is the greatest number of tests that are listed by their ids, and not by their numbers.
const mostNamed = 5

// tests names the tests of a loss: by ids or, if they are many, by numbers such as 1–200, 205.
func (l loss) tests() string {
	if len(l.ids) <= mostNamed {
		return strings.Join(l.ids, ", ")
	}
	var parts []string
	for i := 0; i < len(l.at); {
		j := i
		for j+1 < len(l.at) && l.at[j+1] == l.at[j]+1 {
			j++
		}
		part := strconv.Itoa(l.at[i])
		if j > i {
			part += "–" + strconv.Itoa(l.at[j])
		}
		parts, i = append(parts, part), j+1
	}
	return fmt.Sprintf("%d tests (%s)", len(l.at), strings.Join(parts, ", "))
}
