package consensus_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/trace"
)

// ruling is what a vote comes to.
type ruling struct {
	method   string
	unscored bool
	classes  string // of traces, the deciding one first, the others by size and then by their first trace
}

// secondOpinion decides a vote by the text of docs/method.md §3.2 and §3.3, without anything of the package: keys holds the
// key of each trace's answer, "" for a trace without a vote, infra the traces that failed, cites the documents of
// each, and same which two keys the verifier finds equivalent.
func secondOpinion(keys []string, infra []bool, cites [][]string, same func(a, b string) bool) ruling {
	k, v, failed := len(keys), 0, 0
	var classes [][]int
	for i, key := range keys {
		if infra[i] {
			failed++
		}
		if key == "" {
			continue
		}
		v++
		at := slices.IndexFunc(classes, func(c []int) bool { return keys[c[0]] == key })
		if at < 0 {
			classes = append(classes, []int{i})
		} else {
			classes[at] = append(classes[at], i)
		}
	}
	sorted := func() string {
		slices.SortStableFunc(classes, func(a, b []int) int {
			if len(a) != len(b) {
				return len(b) - len(a)
			}
			return a[0] - b[0]
		})
		return fmt.Sprint(classes)
	}
	q := k/2 + 1
	if v < q { // 1
		return ruling{"none", v+failed >= q, sorted()}
	}
	if k == 1 {
		return ruling{"single", false, sorted()}
	}
	if len(classes) == 1 && v == k { // 2
		return ruling{"exact", false, sorted()}
	}
	// 3: two clusters are merged if all pairs across them are equivalent; what contradicts itself stays apart.
	equal := func(a, b []int) bool { return keys[a[0]] == keys[b[0]] || same(keys[a[0]], keys[b[0]]) }
	var merged [][]int
	used := make([]bool, len(classes))
	for i := range classes {
		if used[i] {
			continue
		}
		group := slices.Clone(classes[i])
		for j := i + 1; j < len(classes); j++ {
			alike := equal(classes[i], classes[j])
			for _, other := range classes { // both are equivalent to the same others
				alike = alike && equal(classes[i], other) == equal(classes[j], other)
			}
			if alike {
				group, used[j] = append(group, classes[j]...), true
			}
		}
		slices.Sort(group)
		merged = append(merged, group)
	}
	classes = merged
	order := sorted()
	if len(classes) == 1 && v == k {
		return ruling{"semantic", false, order}
	}
	// 4
	m1 := len(classes[0])
	leaders := 0
	for _, c := range classes {
		if len(c) == m1 {
			leaders++
		}
	}
	switch {
	case m1 >= q:
		return ruling{"majority", false, order}
	case leaders == 1:
		return ruling{"plurality", false, order}
	}
	// 5: more distinct documents, then the lowest hash of a key.
	documents := func(c []int) int {
		found := map[string]bool{}
		for _, i := range c {
			for _, d := range cites[i] {
				found[d] = true
			}
		}
		return len(found)
	}
	lowest := func(c []int) string {
		hash := "~"
		for _, i := range c {
			sum := sha256.Sum256([]byte(keys[i]))
			hash = min(hash, hex.EncodeToString(sum[:]))
		}
		return hash
	}
	best := 0
	for i := 1; i < leaders; i++ {
		a, b := documents(classes[i]), documents(classes[best])
		if a > b || a == b && lowest(classes[i]) < lowest(classes[best]) {
			best = i
		}
	}
	classes = slices.Concat(classes[best:best+1], classes[:best], classes[best+1:])
	return ruling{"tie", false, fmt.Sprint(classes)}
}

// TestSecondImplementation compares 3,000 drawn votes with a second implementation, which was written from the text of
// docs/method.md §3.2 alone.
func TestSecondImplementation(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 7))
	names := []string{"v", "w", "x", "y", "z"}
	methods := map[string]int{}
	for range 3000 {
		k := 1 + r.IntN(7)
		equivalent := map[string]bool{}
		for i, a := range names {
			for _, b := range names[i+1:] {
				if r.IntN(4) == 0 {
					equivalent[a+b], equivalent[b+a] = true, true
				}
			}
		}
		same := func(a, b string) bool { return equivalent[a+b] }
		in, keys, infra, cites := make([]consensus.Ballot, k), make([]string, k), make([]bool, k), make([][]string, k)
		few := 1 + r.IntN(len(names))
		for i := range in {
			switch n := r.IntN(12); n {
			case 0:
				in[i] = consensus.Ballot{Trace: i, Outcome: trace.NoAnswer}
			case 1:
				in[i], infra[i] = consensus.Ballot{Trace: i, Outcome: trace.Infra}, true
			case 2:
				in[i] = decision(i, trace.Refused)
			case 3:
				in[i] = decision(i, trace.Abstained)
			default:
				in[i] = answered(i, names[r.IntN(few)])
				for d := range 3 {
					if r.IntN(3) == 0 {
						in[i].Supporting = append(in[i].Supporting, fmt.Sprint("c:", d))
					}
				}
			}
			keys[i], cites[i] = in[i].Key, in[i].Supporting
		}
		d := decide(t, verified(oracle(same)), in)
		got := ruling{string(d.Method), d.Unscored, fmt.Sprint(classesOf(d))}
		want := secondOpinion(keys, infra, cites, same)
		if want.classes == "[]" {
			got.classes = want.classes
		}
		if got != want {
			t.Fatalf("votes %q, lost %v, documents %q, equivalent %v: %+v, by the text %+v", keys, infra, cites, equivalent, got, want)
		}
		methods[want.method]++
	}
	for _, m := range []string{"none", "single", "exact", "semantic", "majority", "plurality", "tie"} {
		if methods[m] < 20 {
			t.Errorf("only %d votes are decided by %s: %v", methods[m], m, methods)
		}
	}
}

// TestVerifierIsNeverAskedAboutWhatDiffers: what the equality of the type tells apart never reaches the verifier, and what
// it calls equal needs none; a verifier that says yes to everything merges no two values.
func TestVerifierIsNeverAskedAboutWhatDiffers(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 8))
	values := map[answer.Type][]string{
		answer.Integer:  {"18", "$18", "18 dollars", "20", "12 km", "12 m", "42 (forty-two)", "43 [doc_1]", "about 42", "forty-two", "no idea", "18 or 20"},
		answer.Decimal:  {"3.14", "3.1416", "3", "pi", "22/7", "≈ 3.14", "3,14", "3.14 m", "314%"},
		answer.Percent:  {"0.5", "50%", "50.4%", "50 percent", "half", "5 pp", "50"},
		answer.Currency: {"$5", "USD 5", "USD 6", "EUR 5", "5", "€5.00", "500 cents"},
		answer.Quantity: {"3 km", "3000 m", "3 miles", "3", "3.0 km", "2 h", "120 min"},
		answer.Date:     {"1969", "July 1969", "1969-07-20", "20 July 1969", "about 1969", "03/04/2024"},
		answer.Boolean:  {"yes", "no", "No, it did not.", "true"},
		answer.Choice:   {"A", "(a)", "B", "A and C"},
		answer.List:     {"1, 2", "2, 1", "1, 3", "Oslo, Rome", "Rome, Oslo", "Oslo"},
	}
	asked := 0
	for range 2000 {
		types := answer.Types()
		typ := types[r.IntN(len(types))]
		pool := values[typ]
		if pool == nil {
			continue
		}
		shorts := make([]string, 2+r.IntN(4))
		for i := range shorts {
			shorts[i] = pool[r.IntN(len(pool))]
		}
		m := oracle(yes)
		decide(t, verified(m), typed(typ, shorts...))
		for _, req := range m.Requests() {
			asked++
			shown := askingtest.Blocks(req)
			a, b := strings.TrimSpace(shown["answer A"]), strings.TrimSpace(shown["answer B"])
			ka, errA := answer.Normalize(a, typ, answer.Options{})
			kb, errB := answer.Normalize(b, typ, answer.Options{})
			isList := typ == answer.List && (strings.Contains(ka.Key, "entity:") || strings.Contains(kb.Key, "entity:"))
			if errA == nil && errB == nil && ka.Confidence == answer.Exact && kb.Confidence == answer.Exact && !isList {
				t.Errorf("%s: the verifier is asked about %q and %q", typ, a, b)
			}
		}
	}
	if asked < 100 {
		t.Errorf("the verifier was asked %d times only", asked)
	}
}
