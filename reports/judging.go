package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
)

// Calibration writes how far a judge, or a panel and its members, can be believed.
func Calibration(w io.Writer, c *judge.Calibration, s Screen) error {
	parts := agreedTables(append([]judge.Agreed{c.Whole}, c.Members...))
	lines := []line{plain(fmt.Sprintf("%d labelled answers, of which %d are right; %s, threshold %d", c.Answers, c.Right, c.Version.Prompt, c.Version.Threshold))}
	lines = append(lines, worth(c.Votes, c.Best, c.Members)...)
	if doubts := c.Whole.Doubts(); len(doubts) > 0 {
		lines = append(lines, say(plain("judge not validated").in(bad), plain(": "+strings.Join(doubts, "; "))))
	} else {
		lines = append(lines, plain("validated: its pass rates can be believed, and corrected by these figures").in(good))
	}
	return s.write(w, document{details: parts, headline: []part{{lines: lines}}})
}

// JudgeScore writes what recorded verdicts say of the judges that gave them.
func JudgeScore(w io.Writer, r *agreement.Recording, s Screen) error {
	parts := agreedTables(r.Judges)
	parts = append(parts, captioned(tabulate(plain("The same options in two orders"), []figure[agreement.Orders]{
		words("", "judge", func(o agreement.Orders) string { return o.Judge }),
		count("same verdict", func(o agreement.Orders) string { return shareOf(o.Agree) }),
		count("first wins,\nwhere not", func(o agreement.Orders) string { return percent(o.First) }),
		count("p", func(o agreement.Orders) string { return pValue(o.P) }),
	}, r.Orders))...)
	lines := []line{plain(fmt.Sprintf("%d labelled answers, of which %d are right", r.Answers, r.Right))}
	if r.Alpha != nil {
		lines = append(lines, plain("agreement among the judges: Krippendorff's alpha "+decimal(r.Alpha, 3)))
	}
	lines = append(lines, worth(r.Votes, r.Best, r.Judges)...)
	return s.write(w, document{details: parts, headline: []part{{lines: lines}}})
}

// worth says how many votes several judges are worth, and what the best of them is alone.
func worth(votes *float64, best string, judges []judge.Agreed) (out []line) {
	for _, j := range judges {
		if votes != nil && j.Judge == best {
			text := fmt.Sprintf("%d judges are worth %.1f independent votes, by the correlation of their errors; the best alone is ", len(judges), *votes)
			out = append(out, say(plain(text), quoted(best), plain(", accuracy "+shareOf(j.Accuracy))))
		}
	}
	return out
}

// agreedTables are the tables of agreement with labels, of thresholds, and of repeats.
func agreedTables(judges []judge.Agreed) []part {
	name := words("", "judge", func(a judge.Agreed) string { return a.Judge })
	parts := captioned(tabulate(plain("Verdicts beside people's labels"), []figure[judge.Agreed]{
		name,
		count("right\npassed", func(a judge.Agreed) string { return outOf(a.RightPassed, a.RightFailed) }),
		count("wrong\npassed", func(a judge.Agreed) string { return outOf(a.WrongPassed, a.WrongFailed) }),
		count("unread", func(a judge.Agreed) string { return strconv.Itoa(a.Unread) }).leaving(3),
		count("sensitivity", func(a judge.Agreed) string { return shareOf(a.Sensitivity) }),
		count("specificity", func(a judge.Agreed) string { return shareOf(a.Specificity) }),
		count("kappa", func(a judge.Agreed) string { return decimal(a.Kappa, 2) }),
		count("AC1", func(a judge.Agreed) string { return decimal(a.AC1, 2) }).leaving(1),
		count("scores'\nkappa", func(a judge.Agreed) string { return decimal(a.Quadratic, 2) }).leaving(2),
		count("flips", func(a judge.Agreed) string { return percent(a.Flips) }).leaving(4),
	}, judges))
	scored := slices.DeleteFunc(slices.Clone(judges), func(a judge.Agreed) bool { return len(a.Cuts) == 0 })
	cuts := []figure[judge.Agreed]{name}
	for i := range 4 {
		cuts = append(cuts, count(fmt.Sprintf("from %d", i+2), func(a judge.Agreed) string {
			best := map[bool]string{true: " *"}[a.Best == a.Cuts[i].Threshold]
			return fmt.Sprintf("%.2f %.2f%s", a.Cuts[i].Sensitivity, a.Cuts[i].Specificity, best)
		}))
	}
	return append(parts, captioned(tabulate(plain("Sensitivity and specificity by threshold (*: the greatest sum at a specificity of .90 or more)"), cuts, scored))...)
}

// outOf writes a number of answers and that of all; weighted numbers have one decimal.
func outOf(passed, failed float64) string {
	tenths := func(v float64) float64 { return math.Round(10*v) / 10 }
	return fmt.Sprintf("%g/%g", tenths(passed), tenths(passed+failed))
}

// shareOf is a rate with its interval.
func shareOf(s *judge.Share) string {
	return defined(s, func(s judge.Share) string { return fmt.Sprintf("%.2f [%.2f, %.2f]", s.Value, s.Low, s.High) })
}

// Suspects writes the golds that are probably wrong.
func Suspects(w io.Writer, r *suspects.Report, screen Screen) error {
	var d document
	for _, s := range r.Suspects {
		var given []AnswerCount
		for _, a := range s.Answers {
			given = append(given, AnswerCount{a.Answer, a.Count, a.Right})
		}
		lines := []line{
			say(quoted(s.Query), plain(": "), quoted(s.Question)),
			say(plain("  expected "), quoted(s.Expected), plain("; answers "), answers(given)),
		}
		for _, reason := range s.Reasons {
			lines = append(lines, plain("  "+reason).in(doubtful))
		}
		d.details = append(d.details, part{lines: append(lines, say(plain("  concur trace "), quoted(s.Run), plain(" "), quoted(s.Query)))})
	}
	from := fmt.Sprintf("by %s in %s of %s", text.Counted(r.Traces, "trace"), text.Counted(len(r.Runs), "run"), text.Counted(len(r.Models), "model"))
	d.closing = plain("No gold looks wrong " + from)
	if n := len(r.Suspects); n > 0 {
		d.closing = plain(fmt.Sprintf("These golds are probably wrong: %d, %s", n, from))
	}
	if r.Other > 0 {
		d.closing = say(d.closing, plain(" ("+text.Counted(r.Other, "record")+" with another text or gold left out)"))
	}
	d.closing = say(d.closing, plain("."))
	return screen.write(w, d)
}
