package ngram

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
)

// TestPerplexity learns nine tenths of the built-in corpus and prints how well it predicts the rest.
func TestPerplexity(t *testing.T) {
	c, err := datasets.OpenCorpus(datasets.OfflineCorpus)
	if err != nil {
		t.Fatal(err)
	}
	var texts, held []string
	for i, d := range c.Documents {
		if text := d.Title + "\n" + d.Text; i%10 == 9 {
			held = append(held, text)
		} else {
			texts = append(texts, text)
		}
	}
	m := Train(texts)
	ways := []struct {
		name string
		p    func(r *reading, token string, w word) float64
		want float64 // bits per byte
	}{
		{"bytes only", func(_ *reading, token string, _ word) float64 { return m.spelling.word(token) }, 3.226},
		{"single words", func(_ *reading, token string, w word) float64 {
			single := Model{levels: [order]level{m.levels[0]}}
			return single.probability(context{}, w, m.spelling.word(token))
		}, 2.696},
		{"three words", func(r *reading, token string, w word) float64 {
			return m.probability(r.context, w, m.spelling.word(token))
		}, 2.535},
		{"three words and cache", func(r *reading, token string, _ word) float64 {
			_, p := r.probability(token)
			return p
		}, 2.487},
	}
	t.Logf("%d entries learnt, %d held out, %d words known", len(texts), len(held), len(m.ids))
	for _, way := range ways {
		sum, tokens, size, unknownTokens := 0.0, 0, 0, 0
		for _, text := range held {
			r := &reading{m, newCache(), context{begin, begin}}
			for size += len(text); text != ""; tokens++ {
				n := firstToken(text)
				w, spelled := r.read(text[:n])
				if spelled < 0 {
					unknownTokens++
				}
				sum += math.Log(way.p(r, text[:n], w))
				r.add(w)
				text = text[n:]
			}
		}
		bits := -sum / math.Ln2 / float64(size)
		t.Logf("%-21s  perplexity %6.0f a word, %.3f bits a byte (%d words, %d unknown)", way.name,
			math.Exp(-sum/float64(tokens)), bits, tokens, unknownTokens)
		if math.Abs(bits-way.want) > 0.001 {
			t.Errorf("%s: %.4f bits a byte, want %.3f: change docs/toolformer.md too", way.name, bits, way.want)
		}
	}
}
