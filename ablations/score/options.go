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

// The norms. The zero value is NormTyped with a type, else NormNone.
const (
	NormNone  Norm = "none"  // equal texts, apart from white space around them
	NormTyped Norm = "typed" // equal values of Options.Type, as in a run
	NormSQuAD Norm = "squad" // equal after normalize_answer of SQuAD 1.1
)

// Nulls defines how an answer that is null or blank counts.
type Nulls string

// The treatments of null. The zero value is NullsVote.
const (
	NullsVote    Nulls = "vote"    // an answer like any other, never right, as in published figures
	NullsAbstain Nulls = "abstain" // no vote, like a trace without an answer in a run (docs/method.md §1.1)
)

// Fields names the fields of a line. A path such as gold.text or answers.0 leads into objects and lists.
type Fields struct {
	ID      string // "id" if empty; a line without it is named by its number
	Gold    string // "gold" if empty; text, a number, or a list of answers that are all right
	Answers string // "answers" if empty; a list, or one answer, of text, numbers or null
	Correct string // the field of verdicts: true or false for each answer; they replace the gold
}

// Options set how answers are read and compared. The zero value follows published figures.
type Options struct {
	Fields   Fields
	Norm     Norm
	Type     answer.Type // with NormTyped
	Nulls    Nulls
	Quorum   consensus.Quorum    // affects the verdicts only; consensus.QuorumMajority if empty
	Partial  bool                // leaves out and reports lines that cannot be read; otherwise they are an error
	Queries  bool                // keep the verdict and the decided answer of each query, for Against
	Records  bool                // keep the answers of each query, for Pass
	Verifier *consensus.Verifier // merges answers that mean the same before votes are counted; nil for none
	Judge    *judge.Correctness  // rules on each different answer that does not equal the gold; nil for none
	// Messages means that the answers are final messages, whose short answer of Type is read as in a run.
	// Extractor reads messages in which rules find no answer; nil for rules only.
	Messages  bool
	Extractor *extract.Reader
	Parallel  int // queries that call models at once; 1 if 0
}

// withDefaults fills in empty options, and reports errors.
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
		wrong = append(wrong, errors.New("an extractor reads whole messages: add --messages"))
	}
	if o.Judge != nil && o.Fields.Correct != "" {
		wrong = append(wrong, errors.New("a judge and a field of verdicts: use one of them"))
	}
	return o, errors.Join(wrong...)
}

// known replaces an empty value by the first of its values, and reports an unknown one.
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
