package cite

import (
	"regexp"
	"slices"
)

// uncited is the report of a message that cites nothing though there was evidence. Its
// precision is undefined rather than 0, and its recall is 0 rather than undefined: the
// claims that nothing bears out count (methods.md §8).
func (a *audit) uncited(m message) Report {
	factual := false
	for _, s := range m.claims[:min(len(m.claims), MaxClaims)] {
		c := a.read(s)
		factual = factual || c.out.Factual && !s.answer
		a.report.Claims = append(a.report.Claims, c.out)
	}
	if n := len(a.report.Claims); n > 0 && !factual {
		last := &a.report.Claims[n-1] // the answer line, if there is one, stands last
		last.Answer, last.Factual = false, true
	}
	r := a.report
	r.Coverage, r.Recall = new(float64), new(float64)
	r.Problems = []Problem{{Check: CheckCoverage, Level: Error, Detail: "no citation: documents were returned, and no statement cites one"}}
	return r
}

// aboutWork is what a message says of its own steps and sources; the figures count
// nothing that a document could state.
var aboutWork = regexp.MustCompile(`(?i)\b(?:step|document|source|result|search) \d{1,2}\b|\b\d{1,2} (?:relevant |search )?(?:documents|sources|results|searches|steps|snippets|passages|calculations|citations|references|queries)\b`)

// levelOf is the level of a value that the sources of a claim do not back. A sentence that
// cites nothing is warned of where some document of the trace, cited or not, has the
// value, or a calculation on such; a value that stands nowhere is an error in any sentence.
func (a *audit) levelOf(c *claim, backed func(*source) bool, proves func(*proof) bool) Level {
	if c.level == Error {
		return Error
	}
	for _, s := range a.evidence.order {
		if backed(s) {
			return Warn
		}
	}
	if a.anywhere == nil {
		a.anywhere = prove(a.calcs, append([]*source{a.query}, a.evidence.order...))
	}
	if proves(a.anywhere) {
		return Warn
	}
	return Error
}

// showsWorking reports whether a sentence needs no citation, since all that it states are
// calculations on what the message cites: these are its proof (methods.md §8, C4).
func (a *audit) showsWorking(c *claim) bool {
	if len(c.cites) > 0 || len(c.facts) == 0 || len(c.quotes) > 0 || c.isNamed() {
		return false
	}
	return !slices.ContainsFunc(c.facts, func(f fact) bool { return !a.proof.backs(&f) })
}
