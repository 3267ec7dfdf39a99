package cite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/trace"
)

// checkReport checks the rules that every report follows.
func checkReport(t interface{ Errorf(string, ...any) }, r cite.Report) {
	if r.Valid < 0 || r.Valid > r.Citations || r.OverCited < 0 || r.OverCited > r.Citations {
		t.Errorf("%d citations, %d valid, %d idle", r.Citations, r.Valid, r.OverCited)
	}
	for name, ratio := range map[string]*float64{"precision": r.Precision, "recall": r.Recall, "coverage": r.Coverage} {
		if ratio != nil && !(*ratio >= 0 && *ratio <= 1) {
			t.Errorf("%s is %v", name, *ratio)
		}
	}
	if (r.Precision == nil) != (r.Citations == 0) {
		t.Errorf("precision %v of %d citations", r.Precision, r.Citations)
	}
	listed := slices.ContainsFunc(r.Problems, func(p cite.Problem) bool { return p.Level == cite.Error })
	if r.Grounded == listed {
		t.Errorf("grounded is %v, an error is listed: %v", r.Grounded, listed)
	}
	if len(r.Problems) > cite.MaxProblems {
		t.Errorf("%d problems", len(r.Problems))
	}
}

// someMessage draws messages of sentences with good and bad values, names and citations.
func someMessage() *rapid.Generator[string] {
	fact := rapid.SampledFrom([]string{"It is 330 metres tall", "It was adopted on July 4, 1776", "Paris has 2.1 million residents", "75% came from abroad",
		"It says \"We hold these truths to be self-evident\"", "It cost €765 billion", "Gustave Eiffel built it", "It is 5 ft", "上海有2487万人", "The 3rd of 4,5 in 1,23,45", "About 10^5 of 1e400 and 0/0"})
	ids := rapid.SampledFrom([]string{"", " [corpus_1]", " [corpus_2, corpus_3]", " [corpus_4][wiki_1]", " [serp_1]", " `[corpus_1]`", " [1]"})
	end := rapid.SampledFrom([]string{". ", "! ", "。", "\n", "\n\n- ", ".[wiki_2] ", "\nAnswer: 330 m\n", "\nAnswer: Barack Obama\n", "\nAnswer: \x1b[1mErnest Renan and Guy Maupassant\x1b[0m\n", "\nReferences:\n[corpus_5] x\n"})
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, "sentences") {
			b.WriteString(fact.Draw(t, "fact") + ids.Draw(t, "ids") + end.Draw(t, "end"))
		}
		return b.String()
	})
}

func someInput() *rapid.Generator[cite.Input] {
	return rapid.Custom(func(t *rapid.T) cite.Input {
		docs := library()
		return cite.Input{
			Message:   someMessage().Draw(t, "message"),
			Documents: docs[:rapid.IntRange(0, len(docs)).Draw(t, "documents")],
			Calcs:     rapid.SampledFrom([][]trace.Calculation{nil, calc("330*2", "660"), calc("1+1", "2")}).Draw(t, "calcs"),
			Query:     rapid.SampledFrom([]string{"", "How tall is the Eiffel Tower?"}).Draw(t, "query"),
		}
	})
}

func TestReportsAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := someInput().Draw(t, "in")
		r := cite.Audit(in)
		checkReport(t, r)
		if diff := cmp.Diff(r, cite.Audit(in)); diff != "" {
			t.Errorf("the second audit differs:\n%s", diff)
		}
		cited := map[string]bool{}
		for _, c := range cite.Sentences(in) {
			for _, id := range c.Cites {
				cited[id] = true
			}
		}
		for _, id := range cite.Cited(in.Message) {
			delete(cited, id)
		}
		if len(cited) > 0 {
			t.Errorf("the claims cite %v, which Cited does not list", cited)
		}
	})
}

// verdicts omits the parts of a report that the other documents of the trace may change: the hint where a
// fact is, idf weights (recall, overlap, C10), and the level of a value in a sentence without citations if
// the value is in no cited document.
func verdicts(r cite.Report) []string {
	out := []string{fmt.Sprint(r.Citations, r.Valid)}
	for _, p := range r.Problems {
		switch {
		case p.Check == cite.CheckExcess:
		case len(cite.Cited(p.Claim)) == 0:
			out = append(out, fmt.Sprint(p.Check, p.Claim))
		default:
			out = append(out, fmt.Sprint(p.Check, p.Level, p.Claim))
		}
	}
	return out
}

func TestUncitedDocumentsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := someInput().Draw(t, "in")
		cited := cite.Cited(in.Message)
		less := in
		less.Documents = slices.DeleteFunc(slices.Clone(in.Documents), func(d trace.Document) bool { return !slices.Contains(cited, d.ID) })
		if len(less.Documents) == 0 {
			return // then the message cannot cite anything
		}
		all, some := cite.Audit(in), cite.Audit(less)
		if diff := cmp.Diff(verdicts(all), verdicts(some)); diff != "" {
			t.Errorf("%q\nwithout uncited documents (-all +cited):\n%s", in.Message, diff)
		}
		if some.Grounded && !all.Grounded {
			t.Errorf("%q is grounded on less evidence alone", in.Message)
		}
	})
}

func TestOrderOfDocumentsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := someInput().Draw(t, "in")
		turned := in
		turned.Documents = slices.Clone(in.Documents)
		slices.Reverse(turned.Documents)
		if diff := cmp.Diff(verdicts(cite.Audit(in)), verdicts(cite.Audit(turned))); diff != "" {
			t.Error(diff)
		}
	})
}

// A document confirms every sentence that is copied from it.
func TestCopiesAreGrounded(t *testing.T) {
	for _, d := range library() {
		message := strings.ReplaceAll(strings.ReplaceAll(d.Snippet, ". ", " ["+d.ID+"]. "), "。", "["+d.ID+"]。") + " [" + d.ID + "]"
		if r := audit(message, library()...); !r.Grounded {
			t.Errorf("%s\n%s", message, show(r))
		}
	}
}

func FuzzAudit(f *testing.F) {
	for _, c := range append(goodCases(), badCases()...) {
		f.Add(c.message, c.query, "The tower is 330 m tall.", "1+330", "331")
	}
	f.Add("[a_1] ½ 1e999 10^99999 1,2,3 1.2.3 -0 +5 5- $ € %", "", "1/0 10⁻⁹⁹⁹ ½ $5m", "1e999*1e-999", "1e999")
	f.Fuzz(func(t *testing.T, message, query, snippet, expression, result string) {
		r := cite.Audit(cite.Input{
			Message: message, Query: query,
			Documents: []trace.Document{doc("corpus_1", "", snippet), doc("corpus_2", snippet, "")},
			Calcs:     calc(expression, result),
		})
		checkReport(t, r)
		_ = r.Complaint()
	})
}

// hostile has messages of n bytes for which a badly written scanner would be slow.
func hostile(n int) map[string]string {
	fill := func(unit string) string { return "[corpus_1] " + strings.Repeat(unit, (n-64)/len(unit)) }
	return map[string]string{
		"brackets": fill("["), "citations": fill("[corpus_1]"), "ticks": fill("` `` "), "stops": fill(". "), "points": fill("."), "digits": fill("7"),
		"numbers": fill("7 "), "groups": fill("7,777 "), "words": fill("one hundred "), "articles": fill("a "), "quotes": fill("\"a b c d e\" "),
		"names": fill("Ab Cd "), "dates": fill("4 July 1776 "), "sentences": fill("It is 5 m. "), "claims": fill("It is 987,654 m tall [corpus_1]. "),
		"lines": fill("\n"), "quote": fill("\" x"), "slashes": fill("1/"), "dashes": fill("1-"), "dollars": fill("$"), "emphasis": fill(".*"),
		"answers": fill("Answer: 5\n"), "answer": "It is 5 ft [corpus_1].\nAnswer: " + fill("Abcdef, "), "said": "Answer: Xyzzyx\n" + fill("It is uvwxyz. "),
		"uncited": fill("It is 987,654 m tall. "), "escapes": fill("\x1b["), "links": fill("\x1b]8"), "wide": fill("巴黎5米。"), "powers": fill("10^999 "), "units": fill("5 m s kg "), "fences": fill("```\n"),
	}
}

func hostileDocuments() []trace.Document {
	snippet := strings.Repeat("It is 987,653 m or 5 ft, 4 May 1999. ", 100)
	return []trace.Document{doc("corpus_1", "", snippet), doc("corpus_2", "", snippet)}
}

func TestHostileMessages(t *testing.T) {
	for name, message := range hostile(2 << 10) {
		r := audit(message, hostileDocuments()...)
		checkReport(t, r)
		if name == "claims" && r.Grounded {
			t.Error("grounded on wrong numbers")
		}
	}
}

// The audit searches all words of the documents for other spellings of a name.
func TestHostileAnswerNames(t *testing.T) {
	var text, names strings.Builder
	for i := range 25_000 {
		fmt.Fprintf(&text, "%s ", strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprintf("%08d", i*7919)))
		if i < 40 {
			fmt.Fprintf(&names, "X%s%c, ", strings.Repeat("qzvw-", 14), 'a'+i)
		}
	}
	r := audit("It is so [corpus_1].\nAnswer: "+names.String(), doc("corpus_1", "", text.String()))
	if r.Grounded {
		t.Error("grounded on invented names", show(r))
	}
}

// The audit searches every spelling of each of many names, until its budget is spent.
func TestHostileSentenceNames(t *testing.T) {
	letters := func(n int) string {
		return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprintf("%08d", n))
	}
	var text, message strings.Builder
	for i := range 25_000 {
		text.WriteString(letters(i*7919) + " ")
	}
	for i := range 150 {
		message.WriteString("it is of ")
		for j := range 20 {
			message.WriteString("X" + letters((i*20+j)*7907+3) + ", ")
		}
		message.WriteString("[corpus_1]. ")
	}
	checkReport(t, audit(message.String(), doc("corpus_1", "", text.String())))
}

func TestBounds(t *testing.T) {
	for name, message := range map[string]string{
		"bytes":  strings.Repeat("x", cite.MaxMessage+1),
		"values": "It is" + strings.Repeat(" 330,", cite.MaxValues+1) + " [corpus_1].",
	} {
		r := audit(message, library()...)
		if errorChecks(r) != cite.CheckBound || r.Grounded {
			t.Errorf("too many %s: grounded %v, errors %q", name, r.Grounded, errorChecks(r))
		}
	}
}

// BenchmarkHostile shows that the time grows in proportion to the size of a message.
func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{cite.MaxMessage / 4, cite.MaxMessage} {
		for name, message := range hostile(n) {
			b.Run(fmt.Sprintf("%s/%dKiB", name, n>>10), func(b *testing.B) {
				for b.Loop() {
					audit(message, hostileDocuments()...)
				}
			})
		}
	}
}

func BenchmarkAudit(b *testing.B) {
	c := goodCases()[5]
	for b.Loop() {
		cite.Audit(cite.Input{Message: c.message, Documents: library()})
	}
}
