package cite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// checkDocuments applies C1 to C3, which decide whether a citation is valid.
func (a *audit) checkDocuments(c *claim) {
	a.report.Citations += len(c.cites)
	var unknown, empty []string
	for _, id := range c.cites {
		switch d := a.evidence.byID[id]; {
		case d == nil:
			unknown = append(unknown, id)
		case strings.TrimSpace(d.text) == "":
			empty = append(empty, id)
		}
	}
	if len(unknown) > 0 {
		a.fault(c, CheckExists, c.level, "no tool returned "+bracketed(unknown))
	}
	if len(empty) > 0 {
		a.fault(c, CheckSeen, c.level, "nothing was shown of "+bracketed(empty))
	}
	misquoted := false
	for _, q := range c.quotes {
		parts := quoteParts(q)
		lacked := func(part words) bool {
			return !slices.ContainsFunc(c.grounds, func(s *source) bool { return a.holds(s, part) })
		}
		if !slices.ContainsFunc(parts, lacked) {
			continue
		}
		misquoted = true
		a.fault(c, CheckQuote, c.level, "the quotation "+quoted(q)+" is not "+placesOf(c)+
			a.elsewhere(c, func(s *source) bool {
				return !slices.ContainsFunc(parts, func(p words) bool { return !s.words.holds(p) })
			}))
	}
	if !misquoted {
		a.report.Valid += len(c.cites) - len(unknown) - len(empty)
	}
}

// elsewhere names a document that fits a claim although the claim does not cite it. To save time, it does so
// only for the first problems.
func (a *audit) elsewhere(c *claim, fits func(*source) bool) string {
	const most = 20
	for _, s := range a.evidence.order {
		if len(a.report.Problems) < most && !slices.Contains(c.sources, s) && fits(s) {
			return "; it stands in [" + brief(s.id, termRunes) + "], which is not cited there"
		}
	}
	return ""
}

// placesOf describes the sources of a claim, for the text of a problem.
func placesOf(c *claim) string {
	switch {
	case c.answer, len(c.cites) == 0:
		return "in any document that the message cites"
	case len(c.sources) == 0:
		return "in any document that exists"
	}
	ids := make([]string, len(c.sources))
	for i, s := range c.sources {
		ids[i] = s.id
	}
	return "in " + bracketed(ids)
}

// checkValues applies C4 and C5. It stops when the report has MaxProblems errors. More errors would not change
// the result, and for hostile messages this check is the slowest.
func (a *audit) checkValues(c *claim) {
	if len(a.report.Problems) >= MaxProblems {
		c.errors++
		return
	}
	for i := range c.facts {
		a.checkFact(c, &c.facts[i])
	}
}

// everyUnit matches the unit of time in a rate, such as "per hour" or "in a day".
var everyUnit = lazy.Compile(`\b(?:in|per|every|each) (?:an? |one |single )*(second|minute|hour|day|year)\b`)

// states reports whether the question or a source of a claim states the fact. The fact may also be a rate, such
// as 300,000 km in a second.
func (a *audit) states(c *claim, f *fact) bool {
	readings := []fact{*f}
	var every []string
	if f.Kind == value.Quantity { // do not search the prose again for each number of a long list
		every = everyUnit.FindStringSubmatch(c.prose)
	}
	if every != nil {
		if v, err := value.Parse(f.text+" per "+every[1], value.AsQuantity); err == nil && v.Low.Unit != nil {
			v.Relation = f.Relation
			readings = append(readings, newFact(v, f.text))
		}
	}
	return slices.ContainsFunc(c.grounds, func(s *source) bool {
		return slices.ContainsFunc(readings, func(r fact) bool { return s.backs(&r) })
	})
}

func (a *audit) checkFact(c *claim, f *fact) {
	// Numbers such as "two" are checked only in the answer line, because there they can be the answer.
	if f.small() && (!c.answer || f.Ordinal) {
		return
	}
	backed := func(s *source) bool { return s.backs(f) }
	if c.answer && slices.ContainsFunc(a.stated, func(e fact) bool { return e.backs(f) }) {
		return
	}
	if a.states(c, f) || a.proof.backs(f) || a.follows(c, f) || slices.ContainsFunc(c.facts, func(e fact) bool {
		// The same quantity in another unit.
		return e.factor != f.factor && e.Kind == value.Quantity && e.backs(f) && a.states(c, &e)
	}) {
		a.stated = append(a.stated, *f)
		return
	}
	hint := a.elsewhere(c, backed)
	// A message may count things that a document only lists. Such a count, up to twelve, may be in words or
	// digits.
	bare := f.Kind == value.Count && !f.Ordinal && f.Low.Rat.IsInt() && f.Low.Place == 0 && f.Low.Rat.Sign() >= 0
	// This is only a warning, because the names of the counted things are checked, too.
	if f.Numeric() && f.size <= maxCount && (f.InWords || bare) {
		a.problem(c, CheckNumber, Warn, "the count "+quoted(f.text)+" is not written "+placesOf(c)+hint)
		return
	}
	// If a sentence has no citation, a value that is in a document of the trace gives only a warning, even if
	// the document is not cited. A value that is in no document is an error in any sentence.
	level := Error
	if c.level == Warn && slices.ContainsFunc(a.evidence.order, backed) {
		level = Warn
	}
	check, what, lacks := CheckNumber, "number", "neither "+placesOf(c)+" nor calculated from numbers there"
	if _, isYear := f.Year(); isYear || f.Kind == value.Date {
		check, what, lacks = CheckDate, "date", "not "+placesOf(c)
		if isYear {
			what = "year"
		}
	}
	a.fault(c, check, level, "the "+what+" "+quoted(f.text)+" is "+lacks+hint)
}

// checkNames applies C6. A missing name is an error if the sources have another name in its place. Without
// another name, one missing name is a warning, because the sentence may be a paraphrase; several missing names
// are an error.
func (a *audit) checkNames(c *claim) {
	if len(a.report.Problems) >= MaxProblems {
		return
	}
	const most = 5 // maximum number of names in a problem
	var shown []string
	for _, n := range c.names {
		w, missing := a.lacks(n, c.grounds)
		text := quoted(n.text)
		switch {
		case len(missing) == 0 || slices.Contains(shown, text):
		case !c.answer && a.replaces(c, w, missing):
			a.problem(c, CheckName, c.level, "the name "+text+" is not "+placesOf(c)+", where another name stands in its "+
				"place")
			return
		case !n.single:
			shown = append(shown, text)
		}
	}
	switch {
	case len(shown) == 1:
		a.problem(c, CheckName, Warn, "the name "+shown[0]+" is not "+placesOf(c))
	case len(shown) > 1:
		a.problem(c, CheckName, c.level, "the names "+strings.Join(shown[:min(len(shown), most)],
			", ")+" are not "+placesOf(c))
	}
}

// checkOverlap applies C10. It reports whether the cited sources have enough of the claim's words.
func (a *audit) checkOverlap(c *claim) bool {
	const enough, related = 3, 0.1
	if len(c.cites) == 0 {
		return false
	}
	words := content(c.words)
	share, hasWords := a.evidence.overlap(words, c.sources)
	if len(c.cites) > enough {
		a.problem(c, CheckExcess, Warn, fmt.Sprintf("%d citations behind one statement", len(c.cites)))
	}
	for i, id := range c.cites {
		idle := i >= enough
		if d := a.evidence.byID[id]; d != nil {
			if share, ok := a.evidence.overlap(words, []*source{d}); ok && share < related && len(words) > 1 {
				idle = true
				a.problem(c, CheckExcess, Warn, bracketed([]string{id})+" shares no words with the statement")
			}
		}
		if idle {
			a.report.OverCited++
		}
	}
	return !hasWords || share >= enoughOverlap
}

// checkReferences applies C1 to the list of references.
func (a *audit) checkReferences(m message) {
	var unknown []string
	for _, id := range m.references {
		if a.evidence.byID[id] == nil && !slices.Contains(unknown, id) {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		a.problem(nil, CheckExists, Error, "the references list "+bracketed(unknown)+", which no tool returned")
	}
}

// checkScores applies C8. If Input.RejectBelow is not set, it gives only warnings. Reason: each word of the
// search that a document does not contain lowers its score, so that a long query, or a query in another
// language, gives low scores. If it is set, checkScores also names the cited documents that have no score.
func (a *audit) checkScores(in Input) {
	least, level, advice := in.MinScore, Warn, ""
	if least == 0 {
		least = Threshold
	}
	if in.RejectBelow {
		level, advice = Error, "; cite other documents"
	}
	var low, unscored []string
	for _, s := range a.allCited {
		switch {
		case s.unscored && in.MinScore > 0:
			unscored = append(unscored, s.id)
		case !s.unscored && !(s.score >= least):
			low = append(low, s.id)
		}
	}
	if len(low) > 0 {
		a.problem(nil, CheckScore, level, fmt.Sprintf("relevance below %g: %s%s", least, bracketed(low),
			advice))
	}
	if len(unscored) > 0 {
		a.problem(nil, CheckScore, Warn, fmt.Sprintf("no score, so relevance of %g is not checked: %s", in.MinScore,
			bracketed(unscored)))
	}
}
