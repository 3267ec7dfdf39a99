package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
)

// bases has the data on which the records of a run depend.
type bases struct {
	of     map[recordKey]basis
	agents names
}

func newBases() *bases { return &bases{of: map[recordKey]basis{}} }

// basis is the data on which a record depends.
type basis struct {
	usd           *float64
	verdict       judge.Ruling
	input, output int // tokens
	session       int32
	agent         int32 // number of the agent's hash
	first, traces int32 // index of the first trace, and number of traces
	inOrder       bool  // the traces have consecutive numbers
	judgeFailed   bool  // the extractor, the verifier or a judge failed
}

// usage returns the usage that a Tally counts.
func (b basis) usage() Usage {
	return Usage{Usage: model.Usage{InputTokens: b.input, OutputTokens: b.output}, USD: b.usd}
}

// basisLine has the fields of a record that are needed to resume a run.
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
func (b *basisLine) read(line []byte) error {
	last := *b
	*b = basisLine{Answers: last.Answers[:0]}
	if whole(line) && b.scan(line, &last) {
		return nil
	}
	*b = basisLine{}
	return json.Unmarshal(line, b)
}

// scan reads a line in the form that concur writes. It returns false for any other form. It skips the fields
// that are not needed, so it takes a tenth of the time of decoding them.
func (b *basisLine) scan(line []byte, last *basisLine) bool {
	ok, found := true, 0
	within := func(object []byte, each func(key, value []byte) bool) bool {
		return fields(object, func(key, value []byte) bool { ok = ok && each(key, value); return ok }) && ok
	}
	read := fields(line, func(key, value []byte) bool {
		found++
		switch string(key) {
		case "configuration":
			ok = text(value, &b.Configuration, last.Configuration)
		case "query":
			ok = text(value, &b.Query, "")
		case "agent":
			ok = text(value, &b.Agent, last.Agent)
		case "answers":
			ok = b.scanAnswers(value)
		case "consensus":
			ok = within(value, func(key, value []byte) (is bool) {
				is = true
				if string(key) == "verifier_errors" {
					b.Consensus.VerifierErrors, is = digits(value, true)
				}
				return is
			})
		case "verdict":
			var ruling string
			ok = within(value, func(key, value []byte) bool {
				return string(key) != "verdict" || text(value, &ruling, string(last.Verdict.Verdict))
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
					b.Timing.Session, is = digits(value, true)
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
	return elements(value, func(answer []byte) bool {
		n, is := 0, false
		ok = fields(answer, func(key, value []byte) bool {
			if string(key) == "trace" { // trace is the first field
				n, is = digits(value, true)
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
		b.Usage.Input, is = digits(value, true)
	case "output_tokens":
		b.Usage.Output, is = digits(value, true)
	case "usd":
		if string(value) != "null" {
			usd, err := strconv.ParseFloat(string(value), 64)
			b.Usage.USD, is = &usd, err == nil
		}
	}
	return is
}

// basis returns the data on which a record depends.
func (b *basisLine) basis(agents *names) basis {
	out := basis{session: int32(b.Timing.Session), agent: agents.number(b.Agent), usd: b.Usage.USD, input: b.Usage.Input,
		output: b.Usage.Output, verdict: knownRuling(b.Verdict.Verdict), traces: int32(len(b.Answers)), inOrder: true}
	out.judgeFailed = b.Extraction != nil && b.Extraction.Errors > 0 || b.Consensus.VerifierErrors > 0 ||
		len(b.Judgements.unscored()) > 0
	for i, a := range b.Answers {
		out.inOrder = out.inOrder && a.Trace == b.Answers[0].Trace+i
	}
	if len(b.Answers) > 0 {
		out.first = int32(b.Answers[0].Trace)
	}
	return out
}

// readBases reads the data of the last record of each query.
func (r *Run) readBases(queries map[string]bool, into *bases) error {
	var rec basisLine
	for line, err := range r.rawLines(resultsFile, start) {
		if err != nil {
			return err
		}
		if err := rec.read(line.text); err != nil {
			return line.error(damageError(err))
		}
		known := slices.ContainsFunc(r.Manifest.Configurations,
			func(c Configuration) bool { return c.Name == rec.Configuration })
		if !known || queries != nil && !queries[rec.Query] {
			return line.error(fmt.Errorf("this record has query %q in configuration %q, which the run does not have: %w",
				rec.Query, rec.Configuration, errDamaged))
		}
		of := recordKey{r.configurationName(rec.Configuration), rec.Query}
		if before, decided := into.of[of]; decided && int(before.session) >= rec.Timing.Session {
			return line.error(r.secondRecord(of))
		}
		into.of[of] = rec.basis(&into.agents)
	}
	return nil
}
