package reports_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/runner/store"
)

// counted are the attributes of a suite, or of all of them.
type counted struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type testcase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Time    string    `xml:"time,attr"`
	Failure *problem  `xml:"failure"`
	Error   *problem  `xml:"error"`
	Skipped *problem  `xml:"skipped"`
	Flaky   []problem `xml:"flakyFailure"`
}

type suite struct {
	counted
	Name  string     `xml:"name,attr"`
	Cases []testcase `xml:"testcase"`
}

type suites struct {
	counted
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
}

type fataler interface{ Fatalf(string, ...any) }

// decoded reads JUnit XML again, to its last byte, and adds up what it says.
func decoded(t fataler, text string) suites {
	var s suites
	d := xml.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&s); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if _, err := d.Token(); err != io.EOF && err != nil {
		t.Fatalf("after the end: %v", err)
	}
	followsJenkins(t, text)
	var all counted
	for _, one := range s.Suites {
		sum := counted{Tests: len(one.Cases)}
		for _, c := range one.Cases {
			n := 0
			for _, has := range []struct {
				*problem
				count *int
			}{{c.Failure, &sum.Failures}, {c.Error, &sum.Errors}, {c.Skipped, &sum.Skipped}} {
				if has.problem != nil {
					*has.count++
					n++
				}
			}
			if n > 1 || n > 0 && len(c.Flaky) > 0 {
				t.Fatalf("%q has %d states and %d flakes", c.Name, n, len(c.Flaky))
			}
			isSeconds(t, c.Time)
		}
		isSeconds(t, one.Time)
		sum.Time = one.Time
		if sum != one.counted {
			t.Fatalf("suite %q says %+v and has %+v", one.Name, one.counted, sum)
		}
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+sum.Tests, all.Failures+sum.Failures, all.Errors+sum.Errors, all.Skipped+sum.Skipped
	}
	all.Time = s.Time
	s.Skipped = all.Skipped // which only suites count
	if all != s.counted {
		t.Fatalf("the suites say %+v and have %+v", s.counted, all)
	}
	return s
}

// jenkins is what junit-10.xsd of Jenkins' xUnit plugin 3.1 allows of what is written here: by
// parent the elements in it, and by element its attributes, required ones with a !.
var jenkins = struct{ in, attributes map[string]string }{
	map[string]string{
		"": "testsuites", "testsuites": "testsuite", "testsuite": "properties testcase", "properties": "property",
		"testcase": "failure error skipped flakyFailure system-out", "flakyFailure": "stackTrace",
	},
	map[string]string{
		"testsuites": "name time tests failures errors", "testsuite": "name! tests! failures! errors! time skipped",
		"property": "name! value!", "testcase": "name! time classname", "flakyFailure": "message type!",
		"failure": "type message", "error": "type message", "skipped": "type message",
	},
}

// followsJenkins checks elements and attributes by that schema.
func followsJenkins(t fataler, text string) {
	path := []string{""}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		switch e := token.(type) {
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.StartElement:
			name, parent := e.Name.Local, path[len(path)-1]
			if path = append(path, name); !slices.Contains(strings.Fields(jenkins.in[parent]), name) {
				t.Fatalf("<%s> in <%s>", name, parent)
			}
			left := jenkins.attributes[name] + " "
			for _, a := range e.Attr {
				rest := strings.Replace(strings.Replace(left, a.Name.Local+"! ", "", 1), a.Name.Local+" ", "", 1)
				if rest == left {
					t.Fatalf("<%s %s=…>", name, a.Name.Local)
				}
				left = rest
			}
			if strings.Contains(left, "!") {
				t.Fatalf("<%s> has no %s", name, left)
			}
		}
	}
}

func isSeconds(t fataler, text string) {
	if v, err := strconv.ParseFloat(text, 64); err != nil || v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		t.Fatalf("a time of %q", text)
	}
}

func junitOf(t *testing.T, r *result.Result, records []store.Record) string {
	t.Helper()
	return written(t, func(b *bytes.Buffer) error { return reports.WriteJUnit(b, r, store.RowsOf(records...)) })
}

// tried gives the traces of a record their verdicts, and the record its time.
func tried(r store.Record, rulings ...judge.Ruling) store.Record {
	for i, v := range rulings {
		r.Answers[i].Verdict = v
	}
	r.Timing.WallS = 1.5
	return r
}

func triedRecords() []store.Record {
	return []store.Record{
		tried(record("steady", judge.Correct, "equal entities", "Nile", "Nile", "Nile"), judge.Correct, judge.Correct, judge.Correct),
		tried(record("flaky", judge.Correct, "equal entities", "Nile", "Nile", "Amazon"), judge.Correct, judge.Correct, judge.Incorrect),
		tried(record("flaky and wrong", judge.Incorrect, `"amazon" is not "nile"`, "Amazon", "Nile", "Amazon"), judge.Incorrect, judge.Correct, judge.Incorrect),
		tried(record("lost one", judge.Correct, "equal entities", "Nile", "Nile", "infra"), judge.Correct, judge.Correct, judge.Unscored),
		tried(record("no verdict", judge.Unscored, "the judge gave no verdict", "Nile", "Nile", "Nile"), judge.Unscored, judge.Unscored, judge.Unscored),
	}
}

func TestJUnit(t *testing.T) {
	got := junitOf(t, oneConfiguration(), triedRecords())
	golden.Check(t, "testdata/junit_run.xml", got)
	s := decoded(t, got)
	if len(s.Suites) != 1 || s.Failures != 1 || s.Errors != 1 {
		t.Fatalf("%+v", s.counted)
	}
	for _, c := range s.Suites[0].Cases {
		if (len(c.Flaky) > 0) != (c.Name == "flaky") {
			t.Errorf("%s: flakes %v", c.Name, c.Flaky)
		}
	}
}

// The same query of two configurations gives two cases, and queries without a record count.
func TestJUnitOfSeveral(t *testing.T) {
	r := offlineAblation()
	r.Configurations[1].Counts.Missing = 2
	var records []store.Record
	for _, name := range []string{"full", "k=1"} {
		for _, rec := range triedRecords() {
			rec.Configuration = name
			records = append(records, rec)
		}
	}
	s := decoded(t, junitOf(t, r, records))
	if len(s.Suites) != 6 || s.Tests != 11 || s.Errors != 3 {
		t.Errorf("%d suites, %+v", len(s.Suites), s.counted)
	}
	seen := map[string]bool{}
	for _, one := range s.Suites {
		for _, c := range one.Cases {
			if key := c.Class + "\x00" + c.Name; seen[key] {
				t.Errorf("%q twice", key)
			} else {
				seen[key] = true
			}
		}
	}
}

func TestJUnitOfHostileText(t *testing.T) {
	result, records := hostileResult(), triedRecords()
	for i := range records {
		r := &records[i]
		r.Configuration = result.Configurations[0].Name
		r.Query, r.Category, r.Question, r.Verdict.Reason = evil+r.Query, evil, "]]>\x00\ufffe\uffff\r\n", evil
		cause := evil
		r.Answers[2].Answer, r.Answers[2].Cause = nil, &cause
	}
	got := junitOf(t, result, records)
	golden.Check(t, "testdata/junit_hostile.xml", got)
	decoded(t, got)
}

func TestJUnitOfNothing(t *testing.T) {
	decoded(t, junitOf(t, &result.Result{}, nil))
	decoded(t, junitOf(t, &result.Result{}, []store.Record{{}}))
}

// JUnit XML of any text is XML that says the same text as far as XML can.
func TestJUnitIsXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), attack, rapid.SampledFrom([]string{"]]>", "]]]]>>", "\x0b", "\ufffe", "\xed\xa0\x80", strings.Repeat("é", 5000)}))
		r := attacked(t)
		rec := queryRecords()[0]
		rec.Configuration, rec.Query, rec.Category, rec.Question, rec.Verdict.Reason = text.Draw(t, "c"), text.Draw(t, "q"), text.Draw(t, "g"), text.Draw(t, "Q"), text.Draw(t, "r")
		r.Configurations[0].Name = rec.Configuration
		rec.Verdict.Verdict = rapid.SampledFrom([]judge.Ruling{judge.Correct, judge.Incorrect, judge.Unscored, "?"}).Draw(t, "v")
		got := attackedAs(t, func(b *bytes.Buffer) error { return reports.WriteJUnit(b, r, store.RowsOf(rec)) })
		decoded(t, got)
		if strings.ContainsAny(got, steering) {
			t.Fatalf("control characters in %q", got)
		}
	})
}

// A CI system that reads the XML comes to what the exit code says.
func TestGateJUnitAgreesWithTheDecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := attackedGate(t)
		s := decoded(t, attackedAs(t, func(b *bytes.Buffer) error { return gatereport.Write(b, document.FormatJUnit, g, document.Screen{}) }))
		fails := g.Decision == gate.Regression || g.Decision == gate.Drift
		if (s.Failures > 0) != fails || (s.Failures+s.Errors > 0) != (g.Decision != gate.Pass) {
			t.Fatalf("%s has %d failures and %d errors", g.Decision, s.Failures, s.Errors)
		}
	})
}

func TestGateJUnit(t *testing.T) {
	for name, want := range map[string]counted{
		"pass":        {Tests: 30, Skipped: 1},
		"regression":  {Tests: 30, Failures: 4, Skipped: 1},
		"bootstrap":   {Tests: 30, Errors: 1, Skipped: 1},
		"unconfirmed": {Tests: 30, Errors: 3, Skipped: 1},
		"hostile":     {Tests: 30, Failures: 4, Skipped: 1},
		"losses":      {Tests: 30, Failures: 3, Skipped: 1},
		"drift":       {Tests: 30, Failures: 4, Skipped: 1},
	} {
		s := decoded(t, gateWritten(t, document.FormatJUnit, gates()[name]))
		if want.Time = s.Time; s.counted != want {
			t.Errorf("%s: %+v, want %+v", name, s.counted, want)
		}
	}
}
