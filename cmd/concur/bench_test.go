package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// BenchmarkPassRate prints how often the offline model is right: on the gold set and the
// development questions dev80, tune60, dev107 and third20, which its rules were tuned on; on the questions
// heldout20, the paraphrases and the fresh questions, which they were not; and, where
// CONCUR_DATA names the recorded data, on 100 HotpotQA questions over 994 paragraphs.
// With each stand the mean scores of its quality judge for right and for wrong answers:
// whether form tells anything. They are figures to know, not to pass.
func BenchmarkPassRate(b *testing.B) {
	const development = "../../runner/offline/testdata/"
	for _, dataset := range []string{"gold29", development + "dev80.yaml", development + "tune60.yaml", development + "dev107.yaml", development + "third20.yaml", development + "heldout20.yaml", "gold29-paraphrase", "fresh40"} {
		b.Run(filepath.Base(dataset), func(b *testing.B) { passRate(b, dataset) })
	}
	b.Run("hotpotqa", func(b *testing.B) {
		data := os.Getenv("CONCUR_DATA")
		if data == "" {
			b.Skip("CONCUR_DATA is not set")
		}
		dataset, corpus := convertHotpot(b, filepath.Join(data, "corpora", "hotpotqa"))
		passRate(b, dataset, "--corpus", corpus)
	})
}

// BenchmarkGuards prints what each guard is worth on guards24: the queries that are right and
// the model calls without it, as means over ten seeds, with the offline model as it is and
// with the lapses of the preset.
func BenchmarkGuards(b *testing.B) {
	const seeds = 10
	for _, model := range []string{"offline:reader", "offline:reader?lapse=0.3"} {
		b.Run(model, func(b *testing.B) {
			for b.Loop() {
				var names []string
				correct, calls := map[string]int{}, map[string]int{}
				for seed := range seeds {
					r := measured(b, "ablate", "guards", "--model", model, "--seed", fmt.Sprint(seed+1), "--runs-dir", b.TempDir())
					names = nil
					for _, c := range r.Configurations {
						names = append(names, c.Name)
						correct[c.Name] += c.Counts.Correct
						calls[c.Name] += c.Usage.ModelCalls
					}
				}
				for _, name := range names {
					b.Logf("%-15s %4.1f of 24 right, %5.1f model calls a query", name, float64(correct[name])/seeds, float64(calls[name])/seeds/24)
				}
			}
		})
	}
}

// measured runs a command that makes a run, and returns its result.
func measured(b *testing.B, args ...string) (r result.Result) {
	b.Helper()
	code, out, errs := invoke(append(args, "--quiet", "--format", "json")...)
	if code != exitOK {
		b.Fatalf("exit %d: %s", code, errs)
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		b.Fatal(err)
	}
	return r
}

func passRate(b *testing.B, args ...string) {
	var r result.Result
	runs := b.TempDir()
	for b.Loop() {
		r = measured(b, append([]string{"run", "--runs-dir", runs}, args...)...)
	}
	c := r.Configurations[0]
	b.ReportMetric(float64(c.Counts.Correct), "correct")
	b.ReportMetric(float64(c.Counts.Queries), "queries")
	b.ReportMetric(100**c.PassRate, "%correct")
	b.ReportMetric(100*c.CI.Low, "%low95")
	b.ReportMetric(100*c.CI.High, "%high95")
	reportQuality(b, runs)
}

// reportQuality prints the mean quality score of right and of wrong answers, abstentions
// and refusals aside: they say nothing that could be right in form and wrong.
func reportQuality(b *testing.B, runs string) {
	b.Helper()
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		b.Fatal(err)
	}
	sum, n := map[judge.Ruling]float64{}, map[judge.Ruling]float64{}
	for r, err := range run.Records() {
		if err != nil {
			b.Fatal(err)
		}
		if r.Judgements == nil || r.Consensus.Answer == nil {
			continue
		}
		for _, q := range r.Judgements.Quality {
			if q.Score != nil {
				sum[r.Verdict.Verdict] += float64(*q.Score)
				n[r.Verdict.Verdict]++
			}
		}
	}
	for ruling, name := range map[judge.Ruling]string{judge.Correct: "right", judge.Incorrect: "wrong"} {
		if n[ruling] > 0 {
			b.ReportMetric(sum[ruling]/n[ruling], "quality-of-"+name)
			b.ReportMetric(n[ruling], name+"-answers")
		}
	}
}

// convertHotpot turns the recorded HotpotQA questions and paragraphs into a dataset and a
// corpus of ours. Yes and no are booleans; every other gold is a name, compared as such:
// stricter than the published F1, close to the published exact match.
func convertHotpot(b *testing.B, from string) (dataset, corpus string) {
	b.Helper()
	dir := b.TempDir()
	corpus = filepath.Join(dir, "hotpotqa.jsonl")
	var paragraphs bytes.Buffer
	eachLine(b, filepath.Join(from, "corpus.jsonl.gz"), func(line []byte) { paragraphs.Write(append(line, '\n')) })
	if err := os.WriteFile(corpus, paragraphs.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	type gold struct {
		Type   string `yaml:"type"`
		Answer string `yaml:"answer"`
	}
	type query struct {
		ID       string `yaml:"id"`
		Category string `yaml:"category"`
		Query    string `yaml:"query"`
		Gold     gold   `yaml:"gold"`
	}
	var queries []query
	eachLine(b, filepath.Join(from, "questions.jsonl.gz"), func(line []byte) {
		var q struct{ ID, Question, Gold, Type string }
		if err := json.Unmarshal(line, &q); err != nil {
			b.Fatal(err)
		}
		g := gold{"entity", q.Gold}
		if q.Gold == "yes" || q.Gold == "no" {
			g.Type = "boolean"
		}
		queries = append(queries, query{q.ID, q.Type, q.Question, g})
	})
	raw, err := yaml.Marshal(queries)
	if err != nil {
		b.Fatal(err)
	}
	dataset = filepath.Join(dir, "hotpotqa.yaml")
	if err := os.WriteFile(dataset, raw, 0o600); err != nil {
		b.Fatal(err)
	}
	return dataset, corpus
}

// BenchmarkVerifier prints how well the offline model's rules tell equal answers from
// near misses on the labelled pairs of package consensus.
func BenchmarkVerifier(b *testing.B) {
	type pair struct {
		Question   string `json:"question"`
		A          string `json:"a"`
		B          string `json:"b"`
		Equivalent bool   `json:"equivalent"`
	}
	var pairs []pair
	file, err := os.ReadFile("../../consensus/testdata/pairs.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	for line := range bytes.Lines(file) {
		var p pair
		if err := json.Unmarshal(line, &p); err != nil {
			b.Fatal(err)
		}
		pairs = append(pairs, p)
	}
	m, err := offline.New("reader", offline.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var right, of map[bool]int // by the label
	byRule := 0
	for b.Loop() {
		v := consensus.Verifier{Model: m, Name: "offline:reader"}
		right, of, byRule = map[bool]int{}, map[bool]int{}, 0
		for i, p := range pairs {
			o, err := v.Equivalent(b.Context(), consensus.Question{ID: fmt.Sprintf("pair-%d", i+1), Text: p.Question}, p.A, p.B)
			if err != nil {
				b.Fatal(err)
			}
			of[p.Equivalent]++
			if o.Equivalent == p.Equivalent {
				right[p.Equivalent]++
			}
			if o.Effort.Calls == 0 {
				byRule++
			}
		}
	}
	for _, share := range []struct {
		name string
		x, n int
	}{{"sensitivity", right[true], of[true]}, {"specificity", right[false], of[false]}} {
		low, high := stats.Wilson(share.x, share.n, result.Level)
		b.ReportMetric(float64(share.n), share.name+"-pairs")
		b.ReportMetric(100*float64(share.x)/float64(share.n), "%"+share.name)
		b.ReportMetric(100*low, "%"+share.name+"-low95")
		b.ReportMetric(100*high, "%"+share.name+"-high95")
	}
	b.ReportMetric(float64(byRule), "without-a-call")
}

func eachLine(b *testing.B, path string, do func([]byte)) {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	in := bufio.NewReader(z)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			do(bytes.Clone(line))
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkProcess times whole processes of the built binary, beside one that does
// nothing, so that the machine's own share shows.
func BenchmarkProcess(b *testing.B) {
	binary, err := filepath.Abs(filepath.Join("..", "..", "bin", "concur"))
	if err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(binary)
	if err != nil {
		b.Skipf("%v: run `make build` first", err)
	}
	for _, c := range []struct {
		name string
		args []string
	}{
		{"nothing", []string{"true"}},
		{"version", []string{binary, "version"}},
		{"help", []string{binary, "--help"}},
		{"run-gold29", []string{binary, "run", "--quiet", "--runs-dir", filepath.Join(b.TempDir(), "runs")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			const times = 11
			best := time.Duration(1 << 62)
			for b.Loop() {
				for range times {
					start := time.Now()
					if out, err := exec.Command(c.args[0], c.args[1:]...).CombinedOutput(); err != nil {
						b.Fatalf("%v: %s", err, out)
					}
					best = min(best, time.Since(start))
				}
			}
			b.ReportMetric(float64(best.Microseconds())/1e3, fmt.Sprintf("ms-best-of-%d", times))
		})
	}
	b.Run("size", func(b *testing.B) {
		for b.Loop() { // nothing to do: the metric is the figure
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	})
}
