package offline

import (
	"math/big"
	"regexp"
	"strings"
	"sync"
)

// gist is a short answer, read: what it says apart from how it is written.
type gist struct {
	yes    int  // 1 for a leading yes or true, -1 for no or false, 0 for neither
	denied bool // it negates something
	bound  string
	dates  []date // those with a month; bare years are numbers
	counts []measure
	names  []word // what else it says, in order, without articles and the like
	listed bool   // it names several things
}

type gistPatterns struct{ lead, bound, hedge, listing, echo *regexp.Regexp }

var gists = sync.OnceValue(func() gistPatterns {
	re := regexp.MustCompile
	return gistPatterns{
		lead:    re(`(?i)^(?:(?:the )?(?:final )?(?:short )?answer(?: is|:)|(?:it|that|this|he|she|they)(?:'s| is| was| were| are)|in|on|at|by)\s+`),
		bound:   re(`(?i)(\bmore than|\bgreater than|\bover|\babove|\bexceeding|>)\s*(?:[=]\s*)?-?\d|(\bless than|\bfewer than|\bunder|\bbelow|<)\s*-?\d|(\bat least|\bno (?:less|fewer) than|\ba minimum of|≥|>=)\s*-?\d|(\bat most|\bno more than|\bup to|\ba maximum of|≤|<=)\s*-?\d`),
		hedge:   re(`(?i)\b(?:about|approximately|approx\.?|around|roughly|circa|ca\.|c\.|some|nearly|almost|exactly|precisely)\s+|[~≈]\s*`),
		echo:    re(`(?i)^(?:it|he|she|they|there) (?:did|does|do|is|was|were|are|has|have|had|can|could|will|would)( not)?[ .!]*$`),
		listing: re(`(?i)[,;/&]|\b(?:and|or|plus)\b`),
	}
})

// weak are the words that add nothing to a short answer. Those that deny, bound or
// compare are none of them.
var weak = sync.OnceValue(func() map[string]bool {
	return set(strings.Fields(`a an the of in on at by to from for with and & s is are was were be been it its he she they his her their
		this that there which who year called named known`))
})

// truth gives 1 for a word that says yes, -1 for one that says no, 0 for others. Some say
// so only where they stand alone.
func truth(word string, alone bool) int {
	switch {
	case word == "yes", word == "true", alone && (word == "correct" || word == "yeah"):
		return 1
	case word == "no", word == "false", alone && (word == "incorrect" || word == "nope"):
		return -1
	default:
		return 0
	}
}

// gistOf reads a short answer.
func gistOf(text string) gist {
	text = respell(text)
	p := gists()
	var g gist
	g.bound, text = boundOf(text)
	if m := p.echo.FindStringSubmatch(text); m != nil { // "it did"
		g.yes = 1
		if m[1] != "" {
			g.yes = -1
		}
		return g
	}
	text = p.lead.ReplaceAllString(text, "")
	text = p.hedge.ReplaceAllString(text, "")
	w := tokens(text)
	if len(w) > 0 {
		g.yes = truth(w[0].low, len(w) == 1)
	}
	if g.yes != 0 {
		text = strings.TrimLeft(text[w[0].end:], " ,.;:-")
		w = tokens(text)
	}
	g.denied = negated(text)
	g.listed = p.listing.MatchString(text)
	g.read(w)
	return g
}

// boundOf takes "more than", "at least" and the like off a number.
func boundOf(text string) (sign, rest string) {
	m := gists().bound.FindStringSubmatchIndex(text)
	if m == nil {
		return "", text
	}
	for i, s := range []string{">", "<", ">=", "<="} {
		if from, to := m[2*i+2], m[2*i+3]; from >= 0 {
			return s, text[:from] + strings.TrimLeft(text[to:], " =")
		}
	}
	return "", text
}

// read sorts tokens into dates, numbers and names.
func (g *gist) read(w []word) {
	at := map[int]date{}
	for _, d := range dates(w) {
		if d.month > 0 || d.to-d.from > 1 {
			at[d.from] = d
		}
	}
	for i := 0; i < len(w); {
		if d, ok := at[i]; ok {
			if d.month > 0 {
				g.dates = append(g.dates, d)
			} else {
				g.counts = append(g.counts, measure{value: new(big.Rat).SetInt64(int64(d.year))})
			}
			i = d.to
			continue
		}
		if m, n := measureAt(w, i); n > 0 {
			g.counts = append(g.counts, m)
			i += n
			continue
		}
		if (w[i].alpha() || w[i].number()) && !weak()[w[i].low] && !(w[i].low == "ad" || w[i].low == "ce") {
			g.names = append(g.names, w[i])
		}
		i++
	}
	if len(g.names) == 0 && len(g.counts) == 0 && len(g.dates) == 0 { // "It", "The Who"
		for _, t := range w {
			if t.alpha() {
				g.names = append(g.names, t)
			}
		}
	}
}

// measureAt reads a number, a fraction or an amount of money with its unit.
func measureAt(w []word, i int) (measure, int) {
	q, ok := quantityAt(w, i)
	if !ok {
		return measure{}, 0
	}
	value, ok := new(big.Rat).SetString(q.value)
	if !ok {
		return measure{}, 0
	}
	m := measure{value, q.unit}
	end := q.to
	if part, n := fractionAt(w, end-1); q.unit.name == "" && n > 0 {
		m.value, end = m.value.Mul(m.value, part), end-1+n
	} else if part, n := fractionOf(w, end); q.unit.name == "" && n > 0 { // "2 1/2"
		m.value, end = m.value.Add(m.value, part), end+n
	}
	if m.unit.name == "" && end < len(w) {
		if u, n := unitAt(w, end); n > 0 {
			m.unit, end = u, end+n
		} else if u, ok := unitNamed(unitSymbols()[w[end].text]); ok {
			m.unit, end = u, end+1
		} else if code := currencies()[w[end].low]; code != "" {
			m.unit, end = unit{name: code, dim: "money"}, end+1
		}
	}
	return m, end - i
}

// fractionAt reads "/ 3" behind the numerator at w[i] as the factor 1/3.
func fractionAt(w []word, i int) (*big.Rat, int) {
	if i < 0 || i+2 >= len(w) || w[i+1].text != "/" || !w[i+2].number() || i+3 < len(w) && w[i+3].text == "/" || i > 0 && w[i-1].text == "/" {
		return nil, 0
	}
	d, ok := new(big.Rat).SetString(ungroup(w[i+2].low))
	if !ok || d.Sign() == 0 {
		return nil, 0
	}
	return d.Inv(d), 3
}

// fractionOf reads the fraction "1/2" that begins at w[i].
func fractionOf(w []word, i int) (*big.Rat, int) {
	if i >= len(w) || !w[i].number() {
		return nil, 0
	}
	part, n := fractionAt(w, i)
	top, ok := new(big.Rat).SetString(ungroup(w[i].low))
	if n == 0 || !ok {
		return nil, 0
	}
	return top.Mul(top, part), n
}

func (g gist) empty() bool {
	return g.yes == 0 && len(g.dates) == 0 && len(g.counts) == 0 && len(g.names) == 0
}
