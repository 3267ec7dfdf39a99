package reports

import (
	"bufio"
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
//
// The cases are written while their records are read.
func JUnit(w io.Writer, r *result.Result, records *store.Rows) error {
	columns := ofQueries(r.Run, records)
	var suites []junitSuite
	for _, c := range r.Configurations {
		s := suiteOf(r, c)
		s.rows = records.Where(func(row store.Row) bool { return records.Configuration(row) == c.Name })
		s.columns = columns
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

func caseOf(r store.Record, columns []Column[store.Record]) junitCase {
	c := junitCase{Class: classOf(r.Configuration, r.Category), Name: xmlText(r.Query), Time: junitTime(r.Timing.WallS)}
	message := strings.TrimSuffix(Decided(r)+": "+r.Verdict.Reason, ": ")
	said := &junitProblem{Message: xmlText(message), Type: xmlText(r.Verdict.Verdict),
		Text: xmlText(account(r, columns))}
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
func account(r store.Record, columns []Column[store.Record]) string {
	var lines []string
	for _, c := range columns {
		if slices.Contains([]string{"", "configuration", "query", "category", "verdict"}, c.Name) {
			continue // only people read the column, or the case has its value
		}
		if text, _ := exact(c.Value(r)); text != "" {
			lines = append(lines, c.Name+": "+text)
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
type junitSuite struct {
	Name xmlText
	junitCounts
	Properties []junitProperty
	Cases      []junitCase
	rows       *store.Rows // further cases; nil for none
	columns    []Column[store.Record]
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitCounts struct {
	Tests, Failures, Errors, Skipped int
	Time                             junitTime
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
		if s.rows == nil {
			continue
		}
		for _, r := range s.rows.All() {
			s.addRow(r)
			all.addRow(r)
		}
	}
	buffered := bufio.NewWriter(w)
	buffered.WriteString(xml.Header) // an error is kept until the end
	out := xml.NewEncoder(buffered)
	out.Indent("", "  ")
	root := xml.StartElement{Name: xml.Name{Local: "testsuites"}, Attr: all.attributes(xmlText(name), false)}
	err := out.EncodeToken(root)
	for _, s := range suites {
		if err == nil {
			err = s.write(out)
		}
	}
	if err == nil {
		err = out.EncodeToken(root.End())
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return fmt.Errorf("write JUnit XML: %w", err)
	}
	buffered.WriteByte('\n')
	return buffered.Flush()
}

// write writes the suite with its cases.
func (s junitSuite) write(out *xml.Encoder) error {
	named := func(name string) xml.StartElement { return xml.StartElement{Name: xml.Name{Local: name}} }
	suite, properties := named("testsuite"), junitProperties{s.Properties}
	suite.Attr = s.attributes(s.Name, true)
	err := out.EncodeToken(suite)
	if err == nil && len(s.Properties) > 0 {
		err = out.EncodeElement(properties, named("properties"))
	}
	for _, c := range s.Cases {
		if err == nil {
			err = out.EncodeElement(c, named("testcase"))
		}
	}
	if s.rows != nil && err == nil {
		for rec, err := range s.rows.Records() {
			if err == nil {
				err = out.EncodeElement(caseOf(rec, s.columns), named("testcase"))
			}
			if err != nil {
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	return out.EncodeToken(suite.End())
}

// attributes are those of a suite, or of all suites, which have no number of skipped cases.
func (n junitCounts) attributes(name xmlText, skipped bool) []xml.Attr {
	label, _ := name.MarshalText()     // cannot fail
	seconds, _ := n.Time.MarshalText() // cannot fail
	of := func(key, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: key}, Value: value} }
	out := []xml.Attr{of("name", string(label)), of("tests", whole(n.Tests)), of("failures", whole(n.Failures)),
		of("errors", whole(n.Errors))}
	if skipped {
		out = append(out, of("skipped", whole(n.Skipped)))
	}
	return append(out, of("time", string(seconds)))
}

// addRow counts the case of a row, as add does.
func (n *junitCounts) addRow(r store.Row) {
	n.Tests++
	n.Time += junitTime(r.Seconds)
	switch r.Verdict {
	case judge.Correct:
	case judge.Incorrect:
		n.Failures++
	default:
		n.Errors++
	}
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
