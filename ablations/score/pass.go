package score

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// fewestDigested is the number of bytes of answers up to which two different recordings may have equal answers
// by chance.
const fewestDigested = 2000

// Pass returns the answers in the form of a run, which the gate can compare with accepted runs, and their
// queries as a dataset. written is the time at which the answers were recorded; with the file's name, it forms
// the name of the run. The configuration's name states how the answers were graded, so that answers graded in
// different ways are never compared. The file must be read with Options.Records.
func (s *Score) Pass(written time.Time) (baseline.Pass, *datasets.Dataset) {
	slices.SortFunc(s.records, func(a, b store.Record) int { return cmp.Compare(a.Query, b.Query) })
	graded := s.options.graded()
	queries := make([]datasets.Query, len(s.records))
	digest, bytes := sha256.New(), 0
	for i := range s.records {
		r := &s.records[i]
		r.Configuration = graded
		queries[i] = datasets.Query{ID: r.Query, Category: r.Category, Text: r.Question, Gold: datasets.Gold{
			Type: cmp.Or(s.options.Type, answer.Text), Answer: r.Expected, None: r.Expected == "",
			Outcome: trace.Answered,
		}}
		for _, a := range r.Answers {
			text := "null"
			if a.Answer != nil {
				text = fmt.Sprintf("%q", *a.Answer)
			}
			n, _ := fmt.Fprintln(digest, r.Query, text) // a write to a hash never fails
			bytes += n
		}
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(s.File), ".gz"), ".jsonl")
	data := datasets.New(name, queries)
	c := config.New()
	c.Name, c.K, c.Model, c.Pass = graded, s.K, "recorded:answers", judge.PassGold
	c.Agent.External = config.External{Imported: "recorded answers"}
	p := baseline.Pass{Records: s.records, Configuration: store.Configuration{Name: graded, Configuration: c}}
	p.Manifest = store.Manifest{
		Run: written.UTC().Format("20060102T150405") + "-" + name, State: store.Complete, Start: written,
		Dataset:        store.Dataset{Name: name, Hash: data.Hash, Queries: len(queries), Of: len(queries)},
		Configurations: []store.Configuration{p.Configuration},
		Versions:       map[string]string{"norm": answer.Version, baseline.Graded: graded},
	}
	if bytes >= fewestDigested {
		p.Digest = hex.EncodeToString(digest.Sum(nil)[:8])
	}
	return p, data
}

// graded describes how answers got their verdicts.
func (o Options) graded() string {
	by := "by norm " + string(o.Norm)
	switch {
	case o.Fields.Correct != "":
		by = "by the field " + o.Fields.Correct
	case o.Type != "":
		by += " " + string(o.Type)
	}
	if o.Messages {
		by += " of messages"
	}
	if o.Extractor != nil {
		by += " and extractor " + o.Extractor.Name
	}
	if o.Judge != nil {
		by += " and judge " + o.Judge.Name
	}
	return by
}

func recordOf(out outcome, ballots []consensus.Ballot, d consensus.Decision) *store.Record {
	r := &store.Record{
		Query: out.id, Category: "all", Question: out.query, Expected: strings.Join(out.golds, " or "),
		Consensus: d, Verdict: out.verdict, Answers: make([]store.Answer, len(ballots)),
	}
	for i, b := range ballots {
		a := store.Answer{Trace: i, Outcome: b.Outcome, StopReason: trace.Final, Verdict: judge.Incorrect}
		if b.Outcome == trace.Answered {
			a.Answer, a.Key = &b.Answer, &b.Key
		}
		switch c := out.class[i]; {
		case !out.scored, c >= 0 && out.classes[c] == judge.Unscored:
			a.Verdict = judge.Unscored
		case out.right[i]:
			a.Verdict = judge.Correct
		}
		r.Answers[i] = a
	}
	return r
}
