package ngram

import (
	stdcontext "context"
	"errors"
	"math"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/model"
)

// Window is the number of words before a word on which its probability depends. Earlier words change nothing.
const Window = 8192

// reading is a text with the words that were read of it.
type reading struct {
	model   *Model
	cache   *cache
	context context
}

// read returns the number of a word and its probability by its bytes.
func (r *reading) read(token string) (w word, spelled float64) {
	if w, known := r.model.ids[token]; known {
		return w, r.model.spelled[w]
	}
	w, known := r.cache.ids[token]
	if !known {
		w = unknown + word(len(r.cache.ids))
		r.cache.ids[token] = w
	}
	return w, -1
}

// probability returns the probability that a token comes next: above 0 and at most 1.
func (r *reading) probability(token string) (word, float64) {
	w, spelled := r.read(token)
	if spelled < 0 {
		spelled = r.model.spelling.word(token)
	}
	p := r.model.probability(r.context, w, spelled)
	if share := r.cache.share(); share > 0 {
		p = (1-share)*p + share*r.cache.probability(r.context, w)
	}
	return w, p
}

func (r *reading) add(w word) {
	r.cache.add(r.context, w)
	r.context = r.context.and(w)
}

// Score returns the log-probabilities of a text's words. The first word may begin in the prefix: the model joins its
// last characters and the first of the text if they are parts of one word. The tokens of Usage are words.
func (m *Model) Score(ctx stdcontext.Context, req model.ScoreRequest) (model.Scores, error) {
	if req.Text == "" {
		return model.Scores{}, &model.Error{Kind: model.ErrBadRequest, Model: FullName,
			Err: errors.New("there is no text to score")}
	}
	leave, err := slot.Enter(ctx) // limits the number of concurrent computations
	if err != nil {
		return model.Scores{}, &model.Error{Kind: model.KindOf(err), Model: FullName, Err: err}
	}
	defer leave()
	text, border := req.Prefix+req.Text, len(req.Prefix)
	at, skipped := beginning(text, border)
	r := reading{m, newCache(), context{begin, begin}}
	out := model.Scores{Model: FullName, Usage: model.Usage{InputTokens: skipped}}
	for at < len(text) {
		if out.Usage.InputTokens++; out.Usage.InputTokens%1024 == 0 && ctx.Err() != nil {
			return model.Scores{}, &model.Error{Kind: model.KindOf(ctx.Err()), Model: FullName, Err: ctx.Err()}
		}
		end := at + firstToken(text[at:])
		token := text[at:end]
		var w word
		if end <= border {
			w, _ = r.read(token)
		} else {
			var p float64
			w, p = r.probability(token)
			out.Tokens = append(out.Tokens, model.TokenScore{Token: token, Offset: at - border,
				LogProb: min(0, math.Log(p))})
		}
		r.add(w)
		at = end
	}
	return out, nil
}

// beginning returns the first byte that must be read so that the words behind a border have their probabilities, and
// the number of words before it.
func beginning(text string, border int) (at, skipped int) {
	const kept = Window + 2*order // the oldest words of the window have contexts, too
	var starts [kept]int
	n := 0
	for from := 0; from < border; n++ {
		starts[n%kept] = from
		from += firstToken(text[from:])
	}
	if n <= kept {
		return 0, 0
	}
	return starts[n%kept], n - kept
}
