package score

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/extract"
)

// Norm defines when two answers are equal.
type Norm string

// The norms. The zero value means NormTyped if a type is given, else NormNone.
const (
	NormNone  Norm = "none"  // equal texts, apart from white space around them
	NormTyped Norm = "typed" // equal values of Options.Type, as in a run
	NormSQuAD Norm = "squad" // equal after normalize_answer of SQuAD 1.1
)

// Nulls defines how null and blank answers count.
type Nulls string

// The treatments of null. The zero value means NullsVote.
const (
	NullsVote    Nulls = "vote"    // one more answer, which is never right, as in published figures
	NullsAbstain Nulls = "abstain" // no vote, like a trace without an answer in a run (docs/method.md §1.1)
)

// Fields has the names of a line's fields. A path such as gold.text or answers.0 leads into objects and lists.
type Fields struct {
	ID      string // "" means "id"; a line without it is named by its number
	Gold    string // "" means "gold"; the field has text, a number, or a list of right answers
	Answers string // "" means "answers"; the field has a list, or a single answer, of text, numbers or null
	Correct string // field with verdicts, true or false for each answer; they replace the gold
}

// Options set how answers are read and compared. The zero value follows published figures.
type Options struct {
	Fields   Fields
	Norm     Norm
	Type     answer.Type // required for NormTyped
	Nulls    Nulls
	Quorum   consensus.Quorum    // affects only the verdicts; "" means consensus.QuorumMajority
	Partial  bool                // leave out and report lines that cannot be read; otherwise they are an error
	Queries  bool                // keep verdict and decided answer of each query, for Against
	Records  bool                // keep the answers of each query, for Pass
	Verifier *consensus.Verifier // merges answers with the same meaning before votes are counted; may be nil
	Judge    *judge.Correctness  // judges each different answer that is not equal to the gold; may be nil
	// Messages means that the answers are final messages; the short answer of Type is read from them as in a
	// run. Extractor reads messages in which rules find no answer; nil means only rules.
	Messages  bool
	Extractor *extract.Reader
	Parallel  int // number of queries that call models at the same time; 0 means 1
}

// withDefaults replaces empty options with their defaults. It returns an error for options that are not valid.
func (o Options) withDefaults() (Options, error) {
	f := &o.Fields
	f.ID, f.Gold, f.Answers = cmp.Or(f.ID, "id"), cmp.Or(f.Gold, "gold"), cmp.Or(f.Answers, "answers")
	if o.Norm == "" && o.Type != "" {
		o.Norm = NormTyped
	}
	wrong := []error{
		known("norm", &o.Norm, NormNone, NormTyped, NormSQuAD),
		known("nulls", &o.Nulls, NullsVote, NullsAbstain),
		known("quorum", &o.Quorum, consensus.QuorumMajority, consensus.QuorumNone),
	}
	if o.Type != "" {
		_, err := answer.ParseType(string(o.Type))
		wrong = append(wrong, err)
	}
	if (o.Norm == NormTyped) != (o.Type != "") {
		wrong = append(wrong, fmt.Errorf("norm %s with the type %q: norm typed needs a type, such as integer, and "+
			"other norms take no type", o.Norm, o.Type))
	}
	if o.Messages && o.Norm != NormTyped {
		wrong = append(wrong, fmt.Errorf("messages with the norm %s: give the type of their answers, such as --type "+
			"integer, or --type text", o.Norm))
	}
	if o.Extractor != nil && !o.Messages {
		wrong = append(wrong, errors.New("an extractor needs whole messages: add --messages"))
	}
	if o.Judge != nil && o.Fields.Correct != "" {
		wrong = append(wrong, errors.New("both a judge and a field of verdicts are given: use one of them"))
	}
	return o, errors.Join(wrong...)
}

// known replaces an empty value with the first of values. It returns an error if the value is not one of them.
func known[T ~string](what string, v *T, values ...T) error {
	if *v == "" {
		*v = values[0]
	}
	if slices.Contains(values, *v) {
		return nil
	}
	names := make([]string, len(values))
	for i, name := range values {
		names[i] = string(name)
	}
	return fmt.Errorf("%s %q is not known: use %s", what, *v, strings.Join(names, ", "))
}
