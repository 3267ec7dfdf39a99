package consensus

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// Ballot is the vote of one trace.
type Ballot struct {
	Trace   int
	Outcome trace.Outcome
	Answer  string // the short answer; "" unless Outcome is answered
	Message string // the final message, shown to a picker
	Steps   string // thoughts, calls and observations, for verifiers and pickers that read traces; may be ""
	// Key is the class of the answer: its typed canonical key; for the outcomes refused and abstained,
	// "refused" or "abstained"; "" for a trace without a vote.
	Key        string
	Ambiguous  bool     // the answer can be read in two ways ("5k"): equal keys count together, but are never exact
	Supporting []string // evidence documents that the answer cites, without repeats

	checked bool           // Key is what the checks of the query say of the message, see ByChecks
	passes  bool           // the message passes these checks
	value   answer.Key     // the answer as a value of its type; zero if it is not of the type
	options answer.Options // the options to read the answer with
}

// NewBallot returns the ballot of a trace. t and o are the answer type and the options of the gold; the vote
// must not depend on any other field of the gold. Answers that do not parse as t are compared by their text:
// three traces with the same text agree, and the judge finds them wrong.
func NewBallot(tr trace.Trace, t answer.Type, o answer.Options) Ballot {
	b := Ballot{Trace: tr.Trace, Outcome: tr.Outcome, Message: tr.Message, Supporting: tr.Supporting}
	switch tr.Outcome {
	case trace.Refused, trace.Abstained:
		b.Key = string(tr.Outcome)
	case trace.Answered:
		b.Answer = tr.Answer
		b.options = o
		b.read(t)
	}
	return b
}

// ByChecks returns the ballot as a vote for a class of messages of which the checks of the query say the same. key is
// the class; passes is whether such messages pass. All ballots of a decision must be by checks, or none.
func (b Ballot) ByChecks(key string, passes bool) Ballot {
	b.Key, b.checked, b.passes, b.Ambiguous = key, true, passes, false
	return b
}

// unparsed is the prefix of the keys of answers that are not values of their type.
const unparsed = "unparsed:"

// Unparsed reports whether the answer is not a value of its type.
func (b Ballot) Unparsed() bool { return strings.HasPrefix(b.Key, unparsed) }

// read sets the key of the answer.
func (b *Ballot) read(t answer.Type) {
	if k, err := answer.Normalize(b.Answer, t, b.options); err == nil {
		b.value, b.Key, b.Ambiguous = k, k.Key, k.Confidence == answer.Ambiguous
		return
	}
	b.Key = unparsed + "sha256:" + hashOf(b.Answer)
	if k, err := answer.Normalize(b.Answer, answer.Text, answer.Options{}); err == nil {
		b.Key = unparsed + k.Key
	}
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// class is a set of ballots that count as the same answer. They are in the order of their traces.
type class struct {
	key       string   // the representative's key
	keys      []string // the keys of all its ballots, sorted
	ballots   []Ballot
	ambiguous bool
}

// group sorts the votes into one class per key. The largest class comes first, classes of equal size in the
// order of their first trace.
func group(ballots []Ballot) []class {
	if !slices.IsSortedFunc(ballots, byTrace) {
		ballots = slices.SortedFunc(slices.Values(ballots), byTrace)
	}
	of := make([]int, len(ballots))          // class of each ballot
	keys, votes := []string(nil), []int(nil) // of each class
	var at map[string]int                    // class of each key; nil for few ballots
	if len(ballots) > fewBallots {
		at = map[string]int{}
	}
	all := 0
	for i := range ballots {
		of[i] = -1
		if !ballots[i].Outcome.Votes() {
			continue
		}
		key := ballots[i].Key
		c, known := at[key]
		if at == nil {
			c = slices.Index(keys, key)
			known = c >= 0
		}
		if !known {
			c, keys, votes = len(keys), append(keys, key), append(votes, 0)
			if at != nil {
				at[key] = c
			}
		}
		of[i] = c
		votes[c]++
		all++
	}
	classes, sorted := make([]class, len(keys)), make([]Ballot, all)
	for c, key := range keys {
		n := votes[c]
		classes[c] = class{key: key, keys: keys[c : c+1 : c+1], ballots: sorted[:0:n]}
		sorted = sorted[n:]
	}
	for i := range ballots {
		if of[i] >= 0 {
			c := &classes[of[i]]
			c.ballots = append(c.ballots, ballots[i])
			c.ambiguous = c.ambiguous || ballots[i].Ambiguous
		}
	}
	return bySize(classes)
}

// fewBallots is the number of ballots up to which comparing keys is faster than a map.
const fewBallots = 16

// join merges classes into one; there must be at least one.
func join(classes []class) class {
	if len(classes) == 1 {
		return classes[0]
	}
	var joined class
	for _, c := range classes {
		joined.keys = append(joined.keys, c.keys...)
		joined.ballots = append(joined.ballots, c.ballots...)
		joined.ambiguous = joined.ambiguous || c.ambiguous
	}
	slices.Sort(joined.keys)
	slices.SortFunc(joined.ballots, byTrace)
	joined.key = joined.representative().Key
	return joined
}

// bySize sorts classes in place, by size and first trace, and returns them.
func bySize(classes []class) []class {
	slices.SortStableFunc(classes, func(a, b class) int {
		return cmp.Or(cmp.Compare(len(b.ballots), len(a.ballots)), byTrace(a.ballots[0], b.ballots[0]))
	})
	return classes
}

func byTrace(a, b Ballot) int { return cmp.Compare(a.Trace, b.Trace) }

// representative returns the first ballot with the class's most frequent unambiguous answer
// (docs/method.md §3.2, step 6), else the first ballot: an ambiguous answer matches no gold.
func (c class) representative() Ballot {
	if len(c.keys) == 1 && !c.ambiguous {
		return c.ballots[0]
	}
	votes := map[string]int{}
	for _, b := range c.ballots {
		if !b.Ambiguous {
			votes[b.Key]++
		}
	}
	return slices.MinFunc(c.ballots, func(a, b Ballot) int { return cmp.Compare(votes[b.Key], votes[a.Key]) })
}

func (c class) traces() []int {
	out := make([]int, len(c.ballots))
	for i, b := range c.ballots {
		out[i] = b.Trace
	}
	return out
}

// support counts the distinct evidence documents that the class's answers cite.
func (c class) support() int {
	var documents []string
	for _, b := range c.ballots {
		documents = append(documents, b.Supporting...)
	}
	slices.Sort(documents)
	return len(slices.Compact(documents))
}

// lowestHash returns the smallest hash of the class's keys. It does not depend on which ballot represents the
// class.
func (c class) lowestHash() []byte {
	lowest := sha256.Sum256([]byte(c.keys[0]))
	for _, k := range c.keys[1:] {
		if sum := sha256.Sum256([]byte(k)); bytes.Compare(sum[:], lowest[:]) < 0 {
			lowest = sum
		}
	}
	return lowest[:]
}
