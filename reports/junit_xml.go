package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
)

// FormatJUnit is JUnit XML, which CI systems show as test results.
const FormatJUnit Format = "junit"

// maxXML is the number of characters up to which JUnit XML shows one text of others.
const maxXML = 4000

// xmlText is text that may stand in XML 1.0, whatever it was: characters that are not
// allowed there, or that steer a terminal, become U+FFFD. Line breaks and tabs stay.
type xmlText string

// MarshalText makes every use of the type pass through here.
func (t xmlText) MarshalText() ([]byte, error) {
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case steers(r), r == 0xFFFE, r == 0xFFFF:
			return unicode.ReplacementChar
		}
		return r
	}, string(t)) // which also replaces what is not UTF-8
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
	Properties *junitProperties `xml:"properties"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitCounts struct {
	Tests    int       `xml:"tests,attr"`
	Failures int       `xml:"failures,attr"`
	Errors   int       `xml:"errors,attr"`
	Skipped  int       `xml:"skipped,attr"`
	Time     junitTime `xml:"time,attr"`
}

// junitTime is in seconds.
type junitTime float64

func (t junitTime) MarshalText() ([]byte, error) {
	s := float64(t)
	if !(s >= 0) || math.IsInf(s, 0) { // a clock that was set back
		s = 0
	}
	return fmt.Appendf(nil, "%.3f", s), nil
}

type junitProperties struct {
	Properties []junitProperty `xml:"property"`
}

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

// junitFlaky is a run of a test that failed where another passed, as Maven Surefire writes
// it.
type junitFlaky struct {
	Message xmlText `xml:"message,attr"`
	Type    xmlText `xml:"type,attr"`
	Stack   xmlText `xml:"stackTrace"`
}

// writeJUnit adds up what the suites hold, and writes them.
func writeJUnit(w io.Writer, name string, suites []junitSuite) error {
	all := junitCounts{}
	for i := range suites {
		s := &suites[i]
		for _, c := range s.Cases {
			s.junitCounts.add(c.counts())
		}
		all.add(s.junitCounts)
	}
	raw, err := xml.MarshalIndent(junitSuites{xml.Name{}, xmlText(name), all.Tests, all.Failures, all.Errors, all.Time, suites}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JUnit XML: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, raw)
	return err
}

func (c junitCase) counts() junitCounts {
	n := junitCounts{Tests: 1, Time: c.Time}
	switch {
	case c.Failure != nil:
		n.Failures = 1
	case c.Error != nil:
		n.Errors = 1
	case c.Skipped != nil:
		n.Skipped = 1
	}
	return n
}

func (n *junitCounts) add(m junitCounts) {
	n.Tests += m.Tests
	n.Failures += m.Failures
	n.Errors += m.Errors
	n.Skipped += m.Skipped
	if m.Time > 0 && !math.IsInf(float64(m.Time), 0) {
		n.Time += m.Time
	}
}
