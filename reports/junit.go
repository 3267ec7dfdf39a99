package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// JUnit writes a run as JUnit XML: a suite per configuration and a case per record. A case fails if its
// verdict is incorrect, and has an error if there is no verdict. One more case has an error if queries have no
// record, since an incomplete run must not look complete. Right queries with wrong traces are marked flaky, as
// in Maven Surefire.
func JUnit(w io.Writer, r *result.Result, records []store.Record) error {
	figures := ofQueries(r.Run, records)
	var suites []junitSuite
	for _, c := range r.Configurations {
		s := suiteOf(r, c)
		for _, rec := range records {
			if rec.Configuration == c.Name {
				s.Cases = append(s.Cases, caseOf(rec, figures))
			}
		}
		suites = append(suites, s)
	}
	return writeJUnit(w, r.Run, suites)
}

func suiteOf(r *result.Result, c result.Configuration) junitSuite {
	s := junitSuite{Name: xmlText(c.Name), Properties: []junitProperty{
		{"run", xmlText(r.Run)}, {"dataset", xmlText(r.Dataset.Name)}, {"model", xmlText(c.Model)},
		{"k", xmlText(fmt.Sprint(c.K))}, {"seed", xmlText(fmt.Sprint(r.Seed))},
	}}
	if n := c.Counts.Missing; n > 0 {
		text := fmt.Sprintf("%s %s no record; resume the run", text.CountedOf(n, c.Counts.Queries, "query"),
			text.Verb(n, "has", "have"))
		s.Cases = append(s.Cases, junitCase{Class: xmlText(c.Name), Name: "queries without a record",
			Error: &junitProblem{Message: xmlText(text), Type: "missing"}})
	}
	return s
}

func caseOf(r store.Record, figures []figure[store.Record]) junitCase {
	c := junitCase{Class: classOf(r.Configuration, r.Category), Name: xmlText(r.Query), Time: junitTime(r.Timing.WallS)}
	message := strings.TrimSuffix(Decided(r)+": "+r.Verdict.Reason, ": ")
	said := &junitProblem{Message: xmlText(message), Type: xmlText(r.Verdict.Verdict),
		Text: xmlText(account(r, figures))}
	switch r.Verdict.Verdict {
	case judge.Correct:
		c.Flaky = flakes(r)
	case judge.Incorrect:
		c.Failure = said
	default:
		said.Type = xmlText(judge.Unscored)
		c.Error = said
	}
	return c
}

// classOf returns a class name that distinguishes the same query of several configurations, for CI systems
// that ignore suites.
func classOf(configuration, category string) xmlText {
	return xmlText(strings.TrimSuffix(configuration+"."+category, "."))
}

// account describes a query that did not pass: its figures and the result of each trace.
func account(r store.Record, figures []figure[store.Record]) string {
	var lines []string
	for _, f := range figures {
		for i, name := range f.names {
			if slices.Contains([]string{"configuration", "query", "category", "verdict"}, name) {
				continue // the case has these
			}
			if text, _ := exact(f.values(r)[i]); text != "" {
				lines = append(lines, name+": "+text)
			}
		}
	}
	verdicts := map[judge.Ruling]int{}
	for _, a := range r.Answers {
		verdicts[a.Verdict]++
	}
	right := verdicts[judge.Correct]
	lines = append(lines, fmt.Sprintf("single traces: %d of %d right", right, right+verdicts[judge.Incorrect]))
	for _, a := range r.Answers {
		lines = append(lines, fmt.Sprintf("trace %d: %s", a.Trace, ended(a)))
	}
	return strings.Join(lines, "\n")
}

// ended describes the result of one trace.
func ended(a store.Answer) string {
	if a.Answer != nil {
		return *a.Answer
	}
	text := "[" + string(a.Outcome) + "]"
	if a.Cause != nil {
		text += " " + *a.Cause
	}
	return text
}

// flakes returns the wrong traces of a query with a correct consensus.
func flakes(r store.Record) []junitFlaky {
	var out []junitFlaky
	for _, a := range r.Answers {
		if a.Verdict != judge.Incorrect {
			continue
		}
		out = append(out, junitFlaky{
			Message: xmlText(fmt.Sprintf("trace %d: %s", a.Trace, ended(a))), Type: xmlText(judge.Incorrect),
			Stack: xmlText(fmt.Sprintf("trace %d stopped by %s after %s", a.Trace, a.StopReason,
				text.Counted(a.Steps, "step"))),
		})
	}
	return out
}

// FormatJUnit is JUnit XML, which CI systems show as test results.
const FormatJUnit Format = "junit"

// maxXML is the maximum number of characters of one quoted text in JUnit XML.
const maxXML = 4000

// xmlText is text that is safe in XML 1.0: characters that are not allowed there, or that control a terminal,
// become U+FFFD. Line breaks and tabs are kept.
type xmlText string

var noncharacters = strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd")

// MarshalText replaces unsafe characters. All uses of the type are encoded by it.
func (t xmlText) MarshalText() ([]byte, error) {
	text := noncharacters.Replace(Visible(string(t)))
	if r := []rune(text); len(r) > maxXML {
		text = string(r[:maxXML-1]) + "…"
	}
	return []byte(text), nil
}

// The elements have the attributes and children that junit-10.xsd of Jenkins' xUnit plugin
// allows: testsuites count no skipped cases, and a case has no properties.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     xmlText      `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     junitTime    `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name xmlText `xml:"name,attr"`
	junitCounts
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitCounts struct {
	Tests    int       `xml:"tests,attr"`
	Failures int       `xml:"failures,attr"`
	Errors   int       `xml:"errors,attr"`
	Skipped  int       `xml:"skipped,attr"`
	Time     junitTime `xml:"time,attr"`
}

// junitTime is a duration in seconds.
type junitTime float64

func (t junitTime) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%.3f", t), nil }

type junitProperty struct {
	Name  string  `xml:"name,attr"`
	Value xmlText `xml:"value,attr"`
}

// junitCase has its elements in the order of Surefire's schema.
type junitCase struct {
	Class   xmlText       `xml:"classname,attr"`
	Name    xmlText       `xml:"name,attr"`
	Time    junitTime     `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Flaky   []junitFlaky  `xml:"flakyFailure"`
	Skipped *junitProblem `xml:"skipped"`
	Error   *junitProblem `xml:"error"`
	Out     *junitOut     `xml:"system-out"`
}

type junitOut struct {
	Text xmlText `xml:",cdata"`
}

type junitProblem struct {
	Message xmlText `xml:"message,attr"`
	Type    xmlText `xml:"type,attr,omitempty"`
	Text    xmlText `xml:",cdata"`
}

// junitFlaky is a failed run of a test that passed in another run, as Maven Surefire writes it.
type junitFlaky struct {
	Message xmlText `xml:"message,attr"`
	Type    xmlText `xml:"type,attr"`
	Stack   xmlText `xml:"stackTrace"`
}

// writeJUnit sums up the suites' counts and writes them.
func writeJUnit(w io.Writer, name string, suites []junitSuite) error {
	all := junitCounts{}
	for i := range suites {
		s := &suites[i]
		for _, c := range s.Cases {
			s.add(c)
			all.add(c)
		}
	}
	raw, err := xml.MarshalIndent(junitSuites{xml.Name{}, xmlText(name), all.Tests, all.Failures, all.Errors, all.Time,
		suites}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JUnit XML: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, raw)
	return err
}

func (n *junitCounts) add(c junitCase) {
	n.Tests++
	n.Time += c.Time
	switch {
	case c.Failure != nil:
		n.Failures++
	case c.Error != nil:
		n.Errors++
	case c.Skipped != nil:
		n.Skipped++
	}
}
