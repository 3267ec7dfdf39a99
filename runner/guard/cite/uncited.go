package cite

import "slices"

// uncited is the report of a message that cites nothing though there was evidence. Its
// precision is undefined rather than 0, and its recall is 0 rather than undefined: the
// unsupported claims count (methods.md §8).
func (a *audit) uncited(m message) Report {
	factual := false
	for _, s := range m.claims {
		c := a.read(s)
		factual = factual || c.out.Factual && !s.answer
		a.report.Claims = append(a.report.Claims, c.out)
	}
	if n := len(a.report.Claims); n > 0 && !factual {
		last := &a.report.Claims[n-1] // the answer line, if there is one, stands last
		last.Answer, last.Factual = false, true
	}
	a.problem(nil, CheckCoverage, Error, "no citation: documents were returned, and no statement cites one")
	return a.finish()
}

// levelOf is the level of a value that the sources of a claim do not back. A sentence that
// cites nothing is warned of where some document of the trace, cited or not, has the value; a
// value that stands nowhere is an error in any sentence.
func (a *audit) levelOf(c *claim, backed func(*source) bool) Level {
	if c.level == Warn && slices.ContainsFunc(a.evidence.order, backed) {
		return Warn
	}
	return Error
}
