package gate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// peers are gates that are in use elsewhere: each says whether the run got worse than the pool.
// x are right
// of K traces per query, last those of the last accepted run, and h of all m.
var peers = []struct {
	name   string
	alarms func(x, last, h []int, k, m int) bool
}{
	{"threshold 95 %, majority of 3", func(x, _, _ []int, k, _ int) bool { return majority(x, k) < stats.NeededSuccesses(len(x), .95) }},
	{"not worse than the last run, majority of 3", func(x, last, _ []int, k, _ int) bool { return majority(x, k) < majority(last, k) }},
	{"Fisher per query, Benjamini-Hochberg .05", func(x, _, h []int, k, m int) bool {
		var p []float64
		var lower []bool
		for i := range x {
			one, _ := stats.Fisher(x[i], k, h[i], m)
			p, lower = append(p, one), append(lower, x[i]*m < h[i]*k)
		}
		order := make([]int, len(p))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
		last := -1
		for rank, i := range order {
			if p[i] <= .05*float64(rank+1)/float64(len(p)) {
				last = rank
			}
		}
		for _, i := range order[:last+1] {
			if lower[i] {
				return true
			}
		}
		return false
	}},
	{"Fisher over all traces, .05", func(x, _, h []int, k, m int) bool {
		return lowerTail(sum(x), k*len(x), sum(h), m*len(h)) <= .05
	}},
	{"sign-flip on query means, .05", func(x, _, h []int, k, m int) bool {
		d := make([]float64, len(x))
		total := 0.0
		for i := range x {
			d[i] = float64(x[i])/float64(k) - float64(h[i])/float64(m)
			total += d[i]
		}
		p, _ := stats.SignFlipTest(d, 0, stats.DefaultDraws)
		return total < 0 && p/2 <= .05 // one-sided, against a loss
	}},
}

func majority(x []int, k int) (n int) {
	for _, r := range x {
		if 2*r > k {
			n++
		}
	}
	return n
}

func sum(x []int) (n int) {
	for _, r := range x {
		n += r
	}
	return n
}

// changesOfDocs are the columns of the table of docs/ci.md, on truth A.
var changesOfDocs = []Change{{}, {Items: []int{0}, To: .05}, {Items: []int{0}, To: .5}, {Items: []int{28}, To: .05}, {Drop: .05}, {Drop: .10}}

// comparedGates simulates this gate and its peers on one truth, 29 queries at K=3 with a pool of
// five runs: a row per gate, a column per change.
func comparedGates(t testing.TB, runs int) (names []string, rates [][]float64) {
	const k, m = 3, 15
	truth := truthA()
	own := make([]float64, len(changesOfDocs))
	for c, change := range changesOfDocs {
		found, err := simulateChange(context.Background(), truth, SimConfig{K: k, PoolRuns: m / k, Runs: runs, Seed: 1}, change)
		if err != nil {
			t.Fatal(err)
		}
		own[c] = found.Found.Value
	}
	names, rates = append(names, "`concur gate`"), append(rates, own)
	for _, p := range peers {
		row := make([]float64, len(changesOfDocs))
		for c, change := range changesOfDocs {
			random := rand.New(rand.NewPCG(1, 2))
			draw := func(p float64, n int) (right int) {
				for range n {
					if random.Float64() < p {
						right++
					}
				}
				return right
			}
			for range runs {
				x, last, h := make([]int, len(truth)), make([]int, len(truth)), make([]int, len(truth))
				for i, r := range truth {
					now := max(0, r-change.Drop)
					if slices.Contains(change.Items, i) {
						now = change.To
					}
					x[i], last[i] = draw(now, k), draw(r, k)
					h[i] = last[i] + draw(r, m-k)
				}
				if p.alarms(x, last, h, k, m) {
					row[c] += 1 / float64(runs)
				}
			}
		}
		names, rates = append(names, p.name), append(rates, row)
	}
	return names, rates
}

// BenchmarkGates prints the table of docs/ci.md.
func BenchmarkGates(b *testing.B) {
	names, rates := comparedGates(b, 10_000)
	for i, name := range names {
		line := "| " + name
		for _, r := range rates[i] {
			line += fmt.Sprintf(" | %.1f %%", 100*r)
		}
		fmt.Println(line + " |")
	}
}

// rowsOf are the figures of the rows of docs/ci.md that begin so.
func rowsOf(t *testing.T, raw []byte, first string) []float64 {
	t.Helper()
	row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(first) + ` \|(.*)\|$`).FindSubmatch(raw)
	if row == nil {
		t.Fatalf("docs/ci.md has no row of %s", first)
	}
	var out []float64
	for cell := range strings.SplitSeq(string(row[1]), "|") {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(cell), " %"), 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, percent/100)
	}
	return out
}

// TestFiguresInDocs compares every rate of the tables in docs/ci.md with the simulation.
func TestFiguresInDocs(t *testing.T) {
	const runs = 400
	raw, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, got, docs float64) {
		t.Helper()
		if off := 4.5*math.Sqrt(max(docs*(1-docs), .002)/runs) + .004; math.Abs(got-docs) > off {
			t.Errorf("%s: docs/ci.md has %.3f, and the simulation %.3f", what, docs, got)
		}
	}
	names, rates := comparedGates(t, runs)
	for i, name := range names {
		docs := rowsOf(t, raw, name)
		if len(docs) != len(changesOfDocs) {
			t.Fatalf("%s has %d figures", name, len(docs))
		}
		for c, figure := range docs {
			same(fmt.Sprintf("%s, change %d", name, c), rates[i][c], figure)
		}
	}
	rows := 0
	for _, k := range []int{1, 3, 5} {
		for _, pool := range []int{3, 5, 10, 15} {
			first := fmt.Sprintf("%d | %d", k, pool)
			if !strings.Contains(string(raw), "\n| "+first+" |") {
				continue
			}
			rows++
			docs := rowsOf(t, raw, first)
			for c, figure := range docs {
				found, err := simulateChange(context.Background(), truthA(), SimConfig{K: k, PoolRuns: pool, Runs: runs, Seed: 2}, changesOfDocs[c+1])
				if err != nil {
					t.Fatal(err)
				}
				same(fmt.Sprintf("K=%d, %d runs, change %d", k, pool, c+1), found.Found.Value, figure)
			}
		}
	}
	if rows != 7 {
		t.Errorf("docs/ci.md has %d rows of K and runs that are compared", rows)
	}
}

// figureInDocs is a sentence of docs/ci.md with the figures that it has, and what they are.
type figureInDocs struct {
	sentence string
	figures  []float64 // in the order of the sentence
	off      float64   // by which simulated ones may differ
}

// TestProseInDocs compares every figure of docs/ci.md outside its tables with the rule or the
// simulation, and finds percentages that no sentence here has.
func TestProseInDocs(t *testing.T) {
	const runs = 400
	raw, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	find := func(truth []float64, c Change) Found {
		found, err := simulateChange(context.Background(), truth, SimConfig{K: 3, PoolRuns: 5, Runs: runs, Seed: 3}, c)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	threshold := rowsOf(t, raw, peers[0].name)[0]
	quietA, quietB := find(truthA(), Change{}), find(truthB(), Change{})
	ten := append(truthA()[:8:8], .9, .6)
	prose := regexp.MustCompile("(?s)```.*?```|\\n    [^\\n]*|\\n\\|[^\\n]*").ReplaceAllString(string(raw), "")
	prose = strings.Join(strings.Fields(prose), " ")
	for _, c := range []figureInDocs{
		{"24 of them are right in 99.5 % of their traces, three in 90 %, and two (the flaky ones) in 60 %", []float64{24, 100 * truthA()[0], 100 * truthA()[24], 100 * truthA()[28]}, 0},
		{"A broken query is right in 5 % of its traces", []float64{100 * BrokenTo}, 0},
		{"right in 15 of 15 traces is simulated with a rate of 96.9 %", []float64{15, 15, 100 * Traces{Right: 15}.posterior()}, .05},
		{"A gate that fails 16 % of unchanged runs raises at least one false alarm in 97 of 100 series of 20 runs", []float64{100 * threshold, 100 * (1 - math.Pow(1-threshold, 20)), 100, 20}, .5},
		{"raises a false alarm in at most 0.3 % of unchanged runs", []float64{100 * DefaultAlpha}, 1e-9},
		{"three queries that fall from always right to two thirds (15 %), and a loss of 5 points in ten queries (5 %)",
			[]float64{100 * find(truthA(), Change{Items: []int{0, 1, 2}, To: 2. / 3}).Found.Value, 5, 100 * find(ten, Change{Drop: .05}).Found.Value}, 8},
		{"in 76 % of cases instead of 51 %", []float64{100 * rowsOf(t, raw, "3 | 10")[1], 100 * rowsOf(t, raw, "3 | 5")[1]}, .51},
		{"loses more than 2 % of its traces", []float64{mostLostPercent}, 0},
		{"At K=3 the run of an unchanged agent has 87 traces. Such a run needs 10 to 15 fresh traces on average, and at most 53 in 95 % of runs",
			[]float64{3, 3 * 29, quietA.Fresh, quietB.Fresh, float64(quietB.FreshP95), 95}, 9},
		{"If one query is broken, 12 fresh traces are needed on average; for a loss over all queries, 160. The total never needs more than 261",
			[]float64{find(truthA(), Change{Items: []int{0}, To: .05}).Fresh, find(truthA(), Change{Drop: .05}).Fresh, float64(29 * MostTotal(3))}, 15},
	} {
		if !strings.Contains(prose, c.sentence) {
			t.Errorf("docs/ci.md does not say %q", c.sentence)
			continue
		}
		prose = strings.ReplaceAll(prose, c.sentence, "")
		said := regexp.MustCompile(`[0-9]+(\.[0-9]+)?`).FindAllString(c.sentence, -1)
		for i, text := range said {
			if v, err := strconv.ParseFloat(text, 64); err != nil || len(said) != len(c.figures) || math.Abs(v-c.figures[i]) > c.off {
				t.Errorf("%q has %s, and it is %v", c.sentence, text, c.figures)
			}
		}
	}
	if left := regexp.MustCompile(`[^.]*[0-9] %[^.]*`).FindAllString(prose, -1); len(left) > 0 {
		t.Errorf("docs/ci.md has percentages that are not compared: %q", left)
	}
}
