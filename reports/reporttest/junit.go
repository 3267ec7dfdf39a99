package reporttest

import (
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Counted holds the attributes of a suite, or of all suites.
type Counted struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

// Problem is a failure, an error, a flake, or the reason why a case was skipped.
type Problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// TestCase is a case of a suite.
type TestCase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Time    string    `xml:"time,attr"`
	Failure *Problem  `xml:"failure"`
	Error   *Problem  `xml:"error"`
	Skipped *Problem  `xml:"skipped"`
	Flaky   []Problem `xml:"flakyFailure"`
}

// Suite is a suite of cases.
type Suite struct {
	Counted
	Name  string     `xml:"name,attr"`
	Cases []TestCase `xml:"testcase"`
}

// Suites is the document.
type Suites struct {
	Counted
	XMLName xml.Name `xml:"testsuites"`
	Suites  []Suite  `xml:"testsuite"`
}

// ReadJUnit reads JUnit XML to its last byte. It checks the elements by the schema of Jenkins, and all counts.
func ReadJUnit(t Fataler, text string) Suites {
	var s Suites
	d := xml.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&s); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if _, err := d.Token(); err != io.EOF && err != nil {
		t.Fatalf("after the end: %v", err)
	}
	followsJenkins(t, text)
	var all Counted
	for _, one := range s.Suites {
		sum := Counted{Tests: len(one.Cases)}
		for _, c := range one.Cases {
			n := 0
			for _, has := range []struct {
				*Problem
				count *int
			}{{c.Failure, &sum.Failures}, {c.Error, &sum.Errors}, {c.Skipped, &sum.Skipped}} {
				if has.Problem != nil {
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
		if sum != one.Counted {
			t.Fatalf("suite %q says %+v and has %+v", one.Name, one.Counted, sum)
		}
		all.Tests, all.Failures = all.Tests+sum.Tests, all.Failures+sum.Failures
		all.Errors, all.Skipped = all.Errors+sum.Errors, all.Skipped+sum.Skipped
	}
	all.Time = s.Time
	s.Skipped = all.Skipped // which only suites count
	if all != s.Counted {
		t.Fatalf("the suites say %+v and have %+v", s.Counted, all)
	}
	return s
}

// jenkins has the rules of junit-10.xsd (Jenkins' xUnit plugin 3.1) for the elements that concur writes: for
// each parent, the elements that may be in it, and for each element, its attributes. A required attribute has a
// !.
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
func followsJenkins(t Fataler, text string) {
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

func isSeconds(t Fataler, text string) {
	if v, err := strconv.ParseFloat(text, 64); err != nil || v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		t.Fatalf("a time of %q", text)
	}
}
