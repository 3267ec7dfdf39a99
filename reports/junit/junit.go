package junit

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/figures"
)

// maxXML is the maximum number of characters of one quoted text in JUnit XML.
const maxXML = 4000

// SafeText is text that is safe in XML 1.0: characters that are not allowed there, or that control a terminal,
// become U+FFFD. Line breaks and tabs are kept.
type SafeText string

var noncharacters = strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd")

// MarshalText replaces unsafe characters. All uses of the type are encoded by it.
func (t SafeText) MarshalText() ([]byte, error) {
	text := noncharacters.Replace(document.Visible(string(t)))
	if r := []rune(text); len(r) > maxXML {
		text = string(r[:maxXML-1]) + "…"
	}
	return []byte(text), nil
}

// The elements have the attributes and children that junit-10.xsd of Jenkins' xUnit plugin
// allows: testsuites count no skipped cases, and a case has no properties.
type Suite struct {
	Name SafeText
	Counts
	Properties []Property
	Cases      []TestCase
	// Streamed are further cases, which are read while they are written. The counts of the suite already hold them.
	Streamed iter.Seq2[TestCase, error]
}

type properties struct {
	List []Property `xml:"property"`
}

// Counts counts the cases of a suite and adds up their durations.
type Counts struct {
	Tests, Failures, Errors, Skipped int
	Time                             Seconds
}

// Seconds is a duration in seconds.
type Seconds float64

// MarshalText formats the duration with three decimals.
func (t Seconds) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%.3f", t), nil }

// Property is a fact about a suite, such as its run or its model.
type Property struct {
	Name  string   `xml:"name,attr"`
	Value SafeText `xml:"value,attr"`
}

// TestCase has its elements in the order of Surefire's schema.
type TestCase struct {
	Class   SafeText       `xml:"classname,attr"`
	Name    SafeText       `xml:"name,attr"`
	Time    Seconds        `xml:"time,attr"`
	Failure *Problem       `xml:"failure"`
	Flaky   []FlakyFailure `xml:"flakyFailure"`
	Skipped *Problem       `xml:"skipped"`
	Error   *Problem       `xml:"error"`
	Out     *Output        `xml:"system-out"`
}

// Output is what a case printed.
type Output struct {
	Text SafeText `xml:",cdata"`
}

// Problem is why a case failed, was skipped or had an error.
type Problem struct {
	Message SafeText `xml:"message,attr"`
	Type    SafeText `xml:"type,attr,omitempty"`
	Text    SafeText `xml:",cdata"`
}

// FlakyFailure is a failed run of a test that passed in another run, as Maven Surefire writes it.
type FlakyFailure struct {
	Message SafeText `xml:"message,attr"`
	Type    SafeText `xml:"type,attr"`
	Stack   SafeText `xml:"stackTrace"`
}

// Write sums up the suites' counts and writes them.
func Write(w io.Writer, name string, suites []Suite) error {
	all := Counts{}
	for i := range suites {
		s := &suites[i]
		for _, c := range s.Cases {
			s.add(c)
		}
		all.Tests, all.Time = all.Tests+s.Tests, all.Time+s.Time
		all.Failures, all.Errors = all.Failures+s.Failures, all.Errors+s.Errors
	}
	buffered := bufio.NewWriter(w)
	buffered.WriteString(xml.Header) // an error is kept until the end
	out := xml.NewEncoder(buffered)
	out.Indent("", "  ")
	root := xml.StartElement{Name: xml.Name{Local: "testsuites"}, Attr: all.attributes(SafeText(name), false)}
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
func (s Suite) write(out *xml.Encoder) error {
	named := func(name string) xml.StartElement { return xml.StartElement{Name: xml.Name{Local: name}} }
	suite, properties := named("testsuite"), properties{s.Properties}
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
	if s.Streamed != nil && err == nil {
		for c, err := range s.Streamed {
			if err == nil {
				err = out.EncodeElement(c, named("testcase"))
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

// attributes returns the attributes of a suite or, without the number of skipped cases, those of all suites.
func (n Counts) attributes(name SafeText, skipped bool) []xml.Attr {
	label, _ := name.MarshalText()     // cannot fail
	seconds, _ := n.Time.MarshalText() // cannot fail
	of := func(key, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: key}, Value: value} }
	out := []xml.Attr{
		of("name", string(label)),
		of("tests", figures.Whole(n.Tests)),
		of("failures", figures.Whole(n.Failures)),
		of("errors", figures.Whole(n.Errors)),
	}
	if skipped {
		out = append(out, of("skipped", figures.Whole(n.Skipped)))
	}
	return append(out, of("time", string(seconds)))
}

// add counts a case.
func (n *Counts) add(c TestCase) {
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

// ClassName returns a class name that distinguishes the same query of several configurations, for CI systems
// that ignore suites.
func ClassName(configuration, category string) SafeText {
	return SafeText(strings.TrimSuffix(configuration+"."+category, "."))
}
