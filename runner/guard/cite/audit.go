package cite

import (
	"fmt"
	"slices"
	"strings"
)

// audit is the state of one audit.
type audit struct {
	options  Options
	evidence *evidence
	query    *source
	units    *units
	weights  weights
	quotes   quotes
	calcs    []Calc
	derived  derived   // from the documents that are cited
	anywhere *derived  // from all documents, when first asked for
	allCited []*source // existing documents that the message cites
	values   int       // numbers and dates looked at
	told     told      // by the sentences so far
	borneOut bool      // whether a cited document bears out a claim that cites it

	report Report
	failed bool // whether an error was found, listed or not
	full   bool // whether a bound was reached
}

func newAudit(in Input, o Options) *audit {
	u := &units{}
	a := &audit{options: o, evidence: newEvidence(in.Documents, u), units: u, calcs: in.Calcs, quotes: quotes{fuzzyBudget}}
	a.query = &source{text: in.Query[:runeStart(in.Query, min(len(in.Query), MaxDocument))]}
	a.query.tokenise()
	a.weights = newWeights(a.evidence)
	return a
}

// claim is a sentence under examination.
type claim struct {
	sentence
	out     Claim
	prose   string
	folded  folded
	sources []*source // documents that it rests on
	names   []string
	quotes  []string
	parts   parts // of the answer line
	dates   []date
	numbers []number
	level   Level // of what fails in it: a sentence that cites nothing is warned of
	errors  int   // of C1 to C5
}

func (a *audit) checkClaims(m message) {
	if len(m.claims) > MaxClaims {
		a.problem(nil, CheckBound, Error, fmt.Sprintf("the message has %d claims; at most %d are audited", len(m.claims), MaxClaims))
		m.claims = m.claims[:MaxClaims]
	}
	seen := map[string]bool{}
	for _, s := range m.claims {
		for _, id := range s.cites {
			if d := a.evidence.byID[id]; d != nil && !seen[id] {
				seen[id] = true
				a.allCited = append(a.allCited, d)
			}
		}
	}
	a.derived = derive(a.calcs, append([]*source{a.query}, a.allCited...), a.units)
	for _, s := range m.claims {
		a.checkClaim(s)
	}
}

func (a *audit) checkClaim(s sentence) {
	c := a.read(s)
	a.checkDocuments(&c)
	a.checkValues(&c)
	a.borneOut = a.borneOut || a.bearsOut(&c)
	if c.answer {
		a.checkAnswerNames(&c)
		a.report.Claims = append(a.report.Claims, c.out)
		return
	}
	named := a.checkNames(&c)
	a.checkOverlap(&c)
	borneOut := len(c.cites) > 0 && len(c.sources) > 0 && (c.out.Overlap == nil || *c.out.Overlap >= enoughOverlap)
	c.out.Supported = c.errors == 0 && (borneOut || a.showsWorking(&c))
	a.told.add(&c, named)
	a.report.Claims = append(a.report.Claims, c.out)
}

// read takes a sentence apart into what can be checked.
func (a *audit) read(s sentence) claim {
	c := claim{sentence: s, out: Claim{Text: s.text, Cites: s.cites, Answer: s.answer}, level: Error}
	c.prose = prose(s.bare)
	if s.answer {
		c.prose = answerProse(s.bare)
	}
	c.folded = fold(c.prose)
	limit := max(0, MaxValues-a.values)
	text := c.prose
	if !s.answer && len(s.cites) == 0 {
		text = blank(text, aboutWork.FindAllStringIndex(text, -1))
	}
	found, rest := dates(text, limit)
	c.dates = found
	c.numbers = a.units.numbers(rest, limit-len(found)+1)
	a.values += len(c.dates) + len(c.numbers)
	if a.values > MaxValues && !a.full {
		a.full = true
		a.problem(nil, CheckBound, Error, fmt.Sprintf("the message has more than %d numbers and dates; the rest was not audited", MaxValues))
	}
	c.names = names(s.bare, rest)
	if s.answer {
		c.parts = readParts(rest)
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
	checked := slices.ContainsFunc(c.numbers, func(n number) bool { return !n.small() })
	question := strings.HasSuffix(strings.TrimSpace(c.prose), "?")
	c.out.Factual = len(s.cites) > 0 || !question && (checked || len(c.dates)+len(c.names)+len(c.quotes) > 0)
	return c
}

// fault is a problem of C1 to C5, which a supported claim must not have.
func (a *audit) fault(c *claim, check string, level Level, detail string) {
	c.errors++
	a.problem(c, check, level, detail)
}

func (a *audit) problem(c *claim, check string, level Level, detail string) {
	room := MaxProblems / 2 // warnings must not crowd errors out
	if level == Error {
		a.failed, room = true, MaxProblems
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
	factual, cites, supported := 0, 0, 0
	for _, c := range r.Claims {
		if !c.Factual || c.Answer {
			continue
		}
		factual++
		if len(c.Cites) > 0 {
			cites++
		}
		if c.Supported {
			supported++
		}
	}
	r.Precision = share(r.Valid, r.Citations)
	r.Recall = share(supported, factual)
	r.Coverage = share(cites, factual)
	r.Grounded = !a.failed
	return *r
}

// share is a ratio, nil where it is undefined.
func share(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	ratio := float64(part) / float64(whole)
	return &ratio
}
