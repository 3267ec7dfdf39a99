package cite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// Version names the rules of the audit. Every audit records it, because figures of different versions cannot be
// compared. It also changes if the text of [Report.Complaint] changes.
const Version = "cite/v10"

// Threshold is the evidence score below which a cited document is doubtful (C8) if Input.MinScore is 0.
const Threshold = 0.5

// These constants limit an audit. If a message exceeds one of them, it gets a problem of level error: a message
// that was not read completely cannot be called grounded. If a document is longer, only its beginning is read.
const (
	MaxMessage  = 256 << 10 // bytes of a message
	MaxValues   = 2000      // numbers and dates in a message
	MaxDocument = 256 << 10 // bytes that are read of a document's title, snippets and source
	MaxProblems = 200       // problems that a report lists; further ones also count for Grounded
)

// Input has the message to audit and the evidence of its trace.
type Input struct {
	Message string
	// Answer is the short answer that is scored. It is audited even if it is not in the answer line of the
	// message. If it is "", the answer line of the message is audited.
	Answer string
	// Documents are the documents that tools returned in this trace before the answer, in the form that the
	// agent saw. If a document was returned twice, it may be in the list twice.
	Documents []trace.Document
	// Calcs are the successful calculations of this trace. They are evidence for numbers that follow from the
	// documents.
	Calcs []trace.Calculation
	// Query is the question. If a number, date or name is in the question, it needs no other source.
	Query string
	// MinScore is the least score of a cited document (C8), 0 to 1; 0 means Threshold.
	MinScore float64
	// RejectBelow makes a score below MinScore an error, and not a warning.
	RejectBelow bool
}

// Audit checks a final message against the evidence of its trace (docs/method.md §8). It is deterministic and
// never fails. Its time is nearly linear in the length of message and documents.
func Audit(in Input) Report {
	a := &audit{calcs: in.Calcs, effort: maxEffort}
	a.report.Audit = trace.Audit{Version: Version, Problems: []Problem{}, Grounded: true}
	if n := max(len(in.Message), len(in.Answer)); n > MaxMessage {
		a.problem(nil, CheckBound, Error, fmt.Sprintf("the message has %d bytes; at most %d are audited", n,
			MaxMessage))
		return a.report
	}
	m := parseMessage(dropEscapes(in.Message), strings.TrimSpace(dropEscapes(in.Answer)), backendsOf(in.Documents))
	a.evidence = newEvidence(in.Documents)
	a.query = &source{text: text.Head(in.Query, MaxDocument)}
	a.query.tokenise()
	cites := slices.ContainsFunc(m.claims, func(c sentence) bool { return len(c.cites) > 0 })
	if !cites && len(in.Documents) > 0 {
		return a.uncited(m)
	}
	a.checkClaims(m)
	a.checkReferences(m)
	a.checkScores(in)
	return a.finish()
}

// audit is the state of one audit.
type audit struct {
	evidence *evidence
	query    *source
	effort   int // remaining number of comparisons that are not verbatim
	calcs    []trace.Calculation
	proof    proof     // calculations from the cited documents
	allCited []*source // existing documents that the message cites
	values   int       // number of numbers and dates that were read
	citing   int       // number of claims with citations
	tokens   []string  // words of the sentences so far
	stated   []fact    // facts in these sentences that have a source

	report Report // Grounded is true until an error is found, even one that is not listed
}

// claim is a sentence that is being audited.
type claim struct {
	sentence
	prose   string
	words   words
	sources []*source // cited documents
	grounds []*source // cited documents and the query
	names   []name
	quotes  []string
	answers []string // names in the answer line
	facts   []fact
	steps   *steps // values that follow from the sources, computed when first needed
	level   string // level of its problems; Warn if the sentence has no citation
	errors  int    // number of errors of the checks C1 to C5
}

func (a *audit) checkClaims(m message) {
	for _, s := range m.claims {
		for _, d := range a.evidence.sources(s.cites) {
			if !slices.Contains(a.allCited, d) {
				a.allCited = append(a.allCited, d)
			}
		}
	}
	a.proof = prove(a.calcs, append([]*source{a.query}, a.allCited...))
	for _, s := range m.claims {
		a.checkClaim(s)
	}
}

func (a *audit) checkClaim(s sentence) {
	c := a.read(s)
	a.checkDocuments(&c)
	a.checkValues(&c)
	if c.answer {
		a.checkAnswerNames(&c)
		return
	}
	a.checkNames(&c)
	if enough := a.checkOverlap(&c); enough && c.errors == 0 && len(c.sources) > 0 {
		a.report.Supported++
	}
	a.tokens = append(a.tokens, c.words.tokens...)
}

// read divides a sentence into the parts that can be checked. It also counts the sentence if it is a claim.
func (a *audit) read(s sentence) claim {
	c := claim{sentence: s, level: Error}
	c.prose = prose(s.bare[len(listMark.FindString(s.bare)):], false)
	if s.answer { // in an answer line, "42." and "(99)" are not list marks, and [999] is not a note
		c.prose = prose(s.bare, true)
	}
	c.words = fold(c.prose)
	c.facts = readFacts(c.prose, max(0, MaxValues-a.values)+1)
	if a.values += len(c.facts); a.values > MaxValues && a.values-len(c.facts) <= MaxValues {
		a.problem(nil, CheckBound, Error, fmt.Sprintf("the message has more than %d numbers and dates; the rest was "+
			"not audited", MaxValues))
	}
	undated := c.undated()
	c.names = names(s.bare, c.prose, undated)
	if s.answer {
		c.answers = answerNames(undated)
	}
	for _, q := range quotations(c.prose) {
		if isQuotation(fold(q)) {
			c.quotes = append(c.quotes, q)
		}
	}
	c.sources = a.evidence.sources(s.cites)
	if s.answer || len(s.cites) == 0 {
		c.sources = a.allCited
	}
	if !s.answer && len(s.cites) == 0 {
		c.level = Warn
	}
	c.grounds = append([]*source{a.query}, c.sources...)
	checked := slices.ContainsFunc(c.facts, func(f fact) bool { return !f.small() }) ||
		slices.ContainsFunc(c.names, func(n name) bool { return !n.single })
	question := strings.HasSuffix(strings.TrimSpace(c.prose), "?")
	if factual := !question && (checked || len(c.quotes) > 0); !s.answer && (factual || len(s.cites) > 0) {
		a.report.Claims++
	}
	if !s.answer && len(s.cites) > 0 {
		a.citing++
	}
	return c
}

// undated returns the text of a claim, folded except for case and line ends. A semicolon replaces each date, so
// that the words before and after a date do not look like neighbours.
func (c *claim) undated() string {
	out := []byte(c.prose)
	for _, f := range c.facts {
		if f.Kind == value.Date {
			copy(out[f.Start:f.End], ";"+strings.Repeat(" ", f.End-f.Start-1))
		}
	}
	return text.Map(string(out), text.KeepCase|text.KeepLines).String
}

// fault adds a problem of C1 to C5 to a claim. A claim with such a problem does not count as supported.
func (a *audit) fault(c *claim, check, level, detail string) {
	c.errors++
	a.problem(c, check, level, detail)
}

func (a *audit) problem(c *claim, check, level, detail string) {
	room := MaxProblems / 2 // leave room for errors after many warnings
	if level == Error {
		a.report.Grounded, room = false, MaxProblems
	}
	if len(a.report.Problems) >= room {
		return
	}
	p := Problem{Check: check, Level: level, Detail: detail}
	if c != nil {
		p.Claim = brief(c.text, claimRunes)
	}
	a.report.Problems = append(a.report.Problems, p)
}

// finish computes the ratios of the report.
func (a *audit) finish() Report {
	r := &a.report
	r.Precision = ratio(r.Valid, r.Citations)
	r.Recall, r.Coverage = ratio(r.Supported, r.Claims), ratio(a.citing, r.Claims)
	return *r
}

// ratio returns part/whole; nil if whole is 0.
func ratio(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

// uncited returns the report of a message without citations in a trace that has evidence. Its precision is
// undefined, because it has no citations. Its recall is 0, because its claims are not supported (docs/method.md
// §8).
func (a *audit) uncited(m message) Report {
	for _, s := range m.claims {
		a.read(s)
	}
	if a.report.Claims == 0 && len(m.claims) > 0 {
		a.report.Claims = 1 // the answer line, or the whole message
	}
	a.problem(nil, CheckCoverage, Error, "no citation: documents were returned, and no statement cites one")
	return a.finish()
}
