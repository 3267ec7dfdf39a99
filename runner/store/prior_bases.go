package store

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/linefile"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

// basisLine has the fields of a record that a resumption needs: they show on which traces and questions the
// record depends.
type basisLine struct {
	Configuration string `json:"configuration"`
	Query         string `json:"query"`
	Agent         string `json:"agent"`
	Answers       []struct {
		Trace int `json:"trace"`
	} `json:"answers"`
	Consensus struct {
		VerifierErrors int `json:"verifier_errors"`
	} `json:"consensus"`
	Verdict struct {
		Verdict judge.Ruling `json:"verdict"`
		By      string       `json:"by"`
	} `json:"verdict"`
	Judgements *Judgements `json:"judgements"`
	Extraction *Extraction `json:"extraction"`
	Usage      struct {
		Input  int      `json:"input_tokens"`
		Output int      `json:"output_tokens"`
		USD    *float64 `json:"usd"`
	} `json:"usage"`
	Timing struct {
		Session int `json:"session"`
	} `json:"timing"`
}

// read decodes the fields of a line.
func (b *basisLine) read(line linefile.Line) error {
	last := *b
	*b = basisLine{Answers: last.Answers[:0]}
	if line.Whole() && b.scan(line.Text, &last) {
		return nil
	}
	*b = basisLine{}
	return json.Unmarshal(line.Text, b)
}

// scan reads a line in the form that concur writes, and returns false for any other form. It skips the fields
// that are not needed, and so takes a tenth of the time that decoding takes.
func (b *basisLine) scan(line []byte, last *basisLine) bool {
	ok, found := true, 0
	within := func(object []byte, each func(key, value []byte) bool) bool {
		return linefile.Fields(object, func(key, value []byte) bool { ok = ok && each(key, value); return ok }) && ok
	}
	read := linefile.Fields(line, func(key, value []byte) bool {
		found++
		switch string(key) {
		case "configuration":
			ok = linefile.ReadText(value, &b.Configuration, last.Configuration)
		case "query":
			ok = linefile.ReadText(value, &b.Query, "")
		case "agent":
			ok = linefile.ReadText(value, &b.Agent, last.Agent)
		case "answers":
			ok = b.scanAnswers(value)
		case "consensus":
			ok = within(value, func(key, value []byte) (is bool) {
				is = true
				if string(key) == "verifier_errors" {
					b.Consensus.VerifierErrors, is = linefile.Digits(value, true)
				}
				return is
			})
		case "verdict":
			var ruling string
			ok = within(value, func(key, value []byte) bool {
				switch string(key) {
				case "verdict":
					return linefile.ReadText(value, &ruling, string(last.Verdict.Verdict))
				case "by":
					return linefile.ReadText(value, &b.Verdict.By, last.Verdict.By)
				}
				return true
			})
			b.Verdict.Verdict = judge.Ruling(ruling)
		case "judgements":
			ok = string(value) == "null" || json.Unmarshal(value, &b.Judgements) == nil
		case "extraction":
			ok = json.Unmarshal(value, &b.Extraction) == nil
		case "usage":
			ok = within(value, b.scanUsage)
		case "timing":
			ok = within(value, func(key, value []byte) (is bool) {
				is = true
				if string(key) == "session" {
					b.Timing.Session, is = linefile.Digits(value, true)
				}
				return is
			})
		default:
			found--
		}
		return ok
	})
	return read && ok && found >= 8 // extraction is optional
}

func (b *basisLine) scanAnswers(value []byte) bool {
	ok := true
	return linefile.Elements(value, func(answer []byte) bool {
		n, is := 0, false
		ok = linefile.Fields(answer, func(key, value []byte) bool {
			if string(key) == "trace" { // trace is the first field
				n, is = linefile.Digits(value, true)
			}
			return !is
		}) && is
		b.Answers = append(b.Answers, struct {
			Trace int `json:"trace"`
		}{n})
		return ok
	}) && ok
}

func (b *basisLine) scanUsage(key, value []byte) (is bool) {
	is = true
	switch string(key) {
	case "input_tokens":
		b.Usage.Input, is = linefile.Digits(value, true)
	case "output_tokens":
		b.Usage.Output, is = linefile.Digits(value, true)
	case "usd":
		if string(value) != "null" {
			usd, err := strconv.ParseFloat(string(value), 64)
			b.Usage.USD, is = &usd, err == nil
		}
	}
	return is
}

// usage returns the usage that a Tally counts.
func (b *basisLine) usage() Usage {
	return Usage{Usage: model.Usage{InputTokens: b.Usage.Input, OutputTokens: b.Usage.Output}, USD: b.Usage.USD}
}

// judgeFailed reports whether the extractor, the verifier or a judge failed, or the checks could not be decided.
func (b *basisLine) judgeFailed() bool {
	return b.Extraction != nil && b.Extraction.Errors > 0 || b.Consensus.VerifierErrors > 0 ||
		len(b.Judgements.unscored()) > 0 || b.Verdict.By == judge.ByChecks && b.Verdict.Verdict == judge.Unscored
}

// hasTraces reports whether the record has the K traces of its configuration, in order.
func (b *basisLine) hasTraces(c *Configuration) bool {
	if len(b.Answers) != c.K {
		return false
	}
	for i, a := range b.Answers {
		if a.Trace != c.First+i {
			return false
		}
	}
	return true
}

// bases reads the fields of a basisLine from the records that count (see placed). A basisLine is valid until
// the next one is read.
func (r *Run) bases(queries map[string]bool) iter.Seq2[*basisLine, error] {
	all := func(yield func(*basisLine, error) bool) {
		var rec basisLine
		seen := lastSessions{}
		for line, err := range r.Lines(runfiles.Results, linefile.Start) {
			if err == nil {
				err = r.basis(line, &rec, queries, seen)
			}
			if !yield(&rec, err) || err != nil {
				return
			}
		}
	}
	return lastSession(r, all, r.recordSessions(), func(b *basisLine) recordSession {
		return recordSession{recordKey{b.Configuration, b.Query}, b.Timing.Session}
	})
}

// basis reads the line of a record. It returns an error if the dataset has no such query, or if seen already
// has a record of it.
func (r *Run) basis(line linefile.Line, rec *basisLine, queries map[string]bool, seen lastSessions) error {
	if err := rec.read(line); err != nil {
		return line.Wrap(linefile.Damaged(err))
	}
	known := r.configuration(rec.Configuration)
	if known == nil || queries != nil && !queries[rec.Query] {
		return line.Wrap(fmt.Errorf("this record has query %q in configuration %q, which the run does not have: %w",
			rec.Query, rec.Configuration, linefile.ErrDamaged))
	}
	rec.Configuration = known.Name
	if err := seen.again(recordKey{rec.Configuration, rec.Query}, rec.Timing.Session, r); err != nil {
		return line.Wrap(err)
	}
	return nil
}
