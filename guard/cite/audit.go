package cite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
	"github.com/seed-5817661a/concur/trace"
)

// Version names the rules of the audit, and is recorded with it: figures of different versions are not
// comparable. A change of the text of [Report.Complaint] changes the version too.
const Version = "cite/v10"

// Threshold is the evidence score below which a cited document is doubtful (C8).
const Threshold = 0.5

// Limits of an audit. A message that exceeds one of them gets an error-level problem, because an audit that
// did not read everything cannot call it grounded. Only the beginning of a longer document is read.
const (
	MaxMessage  = 256 << 10 // bytes of a message
	MaxValues   = 2000      // numbers and dates of a message
	MaxDocument = 256 << 10 // bytes of a document's title, snippets and source that are read
	MaxProblems = 200       // problems that a report lists; further ones still count for Grounded
)

// Input holds the message to audit and the evidence of its trace.
type Input struct {
	Message string
	// Answer is the short answer that was read from the message and is scored; it is audited even if the message
	// states it elsewhere or in another form. If it is "", the answer line of the message is audited.
	Answer string
	// Documents are the documents that tools returned in this trace before the answer, as the
	// agent saw them. A document that was returned twice may be listed twice.
	Documents []trace.Document
	// Calcs are the calculations that succeeded in this trace. They prove numbers that follow from the evidence.
	Calcs []trace.Calculation
	// Query is the question: its numbers, dates and names need no source.
	Query string
}

// Audit checks a final message against the evidence of its trace (docs/method.md §8). It is pure and deterministic,
// never fails, and takes time about linear in message and documents.
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
	a.checkScores()
	return a.finish()
}

// audit is the state of one audit.
type audit struct {
	evidence *evidence
	query    *source
	effort   int // remaining budget of comparisons that are not verbatim
	calcs    []trace.Calculation
	proof    proof     // from the cited documents
	allCited []*source // existing documents that the message cites
	values   int       // numbers and dates looked at
	citing   int       // claims that cite
	tokens   []string  // the words of the sentences so far
	stated   []fact    // facts of these sentences that have a source

	report Report // grounded until an error is found, listed or not
}

// claim is a sentence under examination.
type claim struct {
	sentence
	prose   string
	words   words
	sources []*source // documents that support it
	grounds []*source // these and the query
	names   []name
	quotes  []string
	answers []string // the names of the answer line
	facts   []fact
	steps   *steps // from the sources, computed on first use
	level   string // level of its problems: Warn if the sentence cites nothing
	errors  int    // errors of the checks C1 to C5
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

// read splits a sentence into the parts that can be checked, and counts it.
func (a *audit) read(s sentence) claim {
	c := claim{sentence: s, level: Error}
	c.prose = prose(s.bare[len(listMark.FindString(s.bare)):], false)
	if s.answer { // in an answer line "42." and "(99)" are not list marks, and [999] is not a note
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

// undated returns the text of a claim folded except for case and line ends, with a semicolon in place of
// each date: the semicolon keeps the words on both sides apart.
func (c *claim) undated() string {
	out := []byte(c.prose)
	for _, f := range c.facts {
		if f.Kind == value.Date {
			copy(out[f.Start:f.End], ";"+strings.Repeat(" ", f.End-f.Start-1))
		}
	}
	return text.Map(string(out), text.KeepCase|text.KeepLines).String
}

// fault is a problem of C1 to C5, which a supported claim must not have.
func (a *audit) fault(c *claim, check, level, detail string) {
	c.errors++
	a.problem(c, check, level, detail)
}

func (a *audit) problem(c *claim, check, level, detail string) {
	room := MaxProblems / 2 // warnings must not crowd errors out
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

// finish computes the ratios.
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

// uncited returns the report of a message that cites nothing although there was evidence. Its precision is
// undefined and not 0, and its recall is 0 and not undefined: the unsupported claims count (docs/method.md
// §8).
func (a *audit) uncited(m message) Report {
	for _, s := range m.claims {
		a.read(s)
	}
	if a.report.Claims == 0 && len(m.claims) > 0 {
		a.report.Claims = 1 // the answer line, or all there is
	}
	a.problem(nil, CheckCoverage, Error, "no citation: documents were returned, and no statement cites one")
	return a.finish()
}
