package annotate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent/dialect"
	"github.com/seed-5817661a/concur/tool"
)

// Options say which calls are proposed, how they are run, and how they are scored.
type Options struct {
	Tools    []Tool
	Proposer Proposer
	Registry *tool.Registry
	Scorer   model.Scorer
	// ScorerName is the scorer's name, with its version; results of another scorer are not joined to those in a folder.
	ScorerName string
	Timeout    time.Duration // of a tool's call; 0 means DefaultTimeout
	// MaxCalls limits the requests to the scorer and to the model that proposes calls; 0 means no limit.
	MaxCalls int
	Parallel int // candidates of a text that are examined at the same time; 0 means 1
	// Progress gets the bytes of the corpus that were read, and of all; may be nil.
	Progress func(done, all int64)
}

// ErrMaxCalls means that Options.MaxCalls was reached. The same command goes on.
var ErrMaxCalls = errors.New("the limit of requests is reached")

// annotator examines the texts of a corpus.
type annotator struct {
	Options
	sent atomic.Int64
}

// admit counts a request.
func (a *annotator) admit() error {
	if n := a.sent.Add(1); a.MaxCalls > 0 && n > int64(a.MaxCalls) {
		return ErrMaxCalls
	}
	return nil
}

// Run annotates the texts of a corpus, and appends the candidates to the files of a folder. It goes on where an earlier
// Run of the folder ended, even if that was killed, and examines no text twice. It returns the figures of the whole
// folder; after an error, they are those of the texts that are done.
func Run(ctx context.Context, corpus *Corpus, folder string, o Options) (Figures, error) {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	a := &annotator{Options: o}
	if m, ok := o.Proposer.(*Sampler); ok { // its requests count, too
		counted := *m
		counted.admit = a.admit
		a.Proposer = &counted
	}
	j, err := openJournal(folder, corpus, o)
	if err != nil {
		return Figures{}, err
	}
	err = a.all(ctx, corpus, j)
	return j.state.Figures, errors.Join(err, j.checkpoint(), j.close())
}

func (a *annotator) all(ctx context.Context, corpus *Corpus, j *journal) error {
	for item, err := range corpus.Texts(j.state.Next) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var found []Candidate
		f := &j.state.Figures
		if _, has := dialect.FindInline(item.Text.Text, a.Registry.ModelSpecs(), false); has {
			item.Skip = skipCall
		}
		if item.Skip == "" {
			if found, err = a.text(ctx, item.Text); err != nil {
				return err
			}
		}
		f.addText(item, a.Tools, found)
		if err := j.add(item.Next, found); err != nil {
			return err
		}
		if a.Progress != nil {
			a.Progress(corpus.before(item.Next.File)+item.Next.Offset, corpus.Bytes)
		}
	}
	return nil
}

// text examines the calls that are proposed for a text. At most one of them is kept: that with the largest gain.
func (a *annotator) text(ctx context.Context, in Text) ([]Candidate, error) {
	var out []Candidate
	for _, t := range a.Tools {
		if !KindOf(t.Name).Suits(in) {
			continue
		}
		proposals, err := a.Proposer.Propose(ctx, t, in)
		if err != nil {
			return nil, fmt.Errorf("text %s: %w", in.ID, err)
		}
		proposals = unique(proposals)
		found := make([]Candidate, len(proposals))
		group, within := errgroup.WithContext(ctx)
		group.SetLimit(max(1, a.Parallel))
		for i, p := range proposals {
			group.Go(func() (err error) {
				found[i], err = a.examine(within, t, in, p)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, fmt.Errorf("text %s: %w", in.ID, err)
		}
		out = append(out, found...)
	}
	keepOne(out, in.Text)
	return out, nil
}

// unique returns the proposals without repeated calls at a position.
func unique(all []Proposal) (out []Proposal) {
	type key struct {
		position int
		call     string
	}
	seen := map[key]bool{}
	for _, p := range all {
		if k := (key{p.Position, p.Call}); !seen[k] {
			seen[k] = true
			out = append(out, p)
		}
	}
	return out
}

// keepOne keeps the candidate with the largest gain, of equal ones the first, and drops the others.
func keepOne(all []Candidate, in string) {
	best := -1
	for i, c := range all {
		if c.Reason == "" && (best < 0 || *c.Gain > *all[best].Gain) {
			best = i
		}
	}
	for i := range all {
		c := &all[i]
		switch {
		case i == best:
			c.Output = Insert(in, *c)
		case c.Reason == "":
			c.Reason = reasonOther
		}
	}
}

// Insert returns a text with a call and its result at the call's position.
func Insert(in string, c Candidate) string {
	before := in[:c.Position]
	space := " "
	if before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\n") {
		space = ""
	}
	return before + space + "[" + c.Call + " → " + c.Result + "]" + in[c.Position:]
}

// before returns the size of the files in front of a file.
func (c *Corpus) before(file int) (size int64) {
	for _, n := range c.sizes[:min(file, len(c.sizes))] {
		size += n
	}
	return size
}

// Thresholds are the values of τ at which the figures count candidates, those of the paper's table 2.
var Thresholds = []float64{0.5, 1, 2}

// ToolFigures counts the candidates of a tool.
type ToolFigures struct {
	Tool       string `json:"tool"`
	Settings   `json:"settings"`
	Texts      int   `json:"texts"`      // that suit the tool
	Candidates int   `json:"candidates"` // calls that were proposed
	Scored     int   `json:"scored"`     // of these, those with losses
	Reached    []int `json:"reached"`    // of these, those whose gain reaches each of Thresholds
	Kept       int   `json:"kept"`       // at most one call of a text
}

// Figures count the texts and candidates of a folder.
type Figures struct {
	Texts   int            `json:"texts"`
	Skipped map[string]int `json:"skipped"` // texts that were not examined, by reason
	Dropped map[string]int `json:"dropped"` // candidates, by reason
	Tools   []ToolFigures  `json:"tools"`
}

func (f *Figures) addText(item Item, tools []Tool, found []Candidate) {
	f.Texts++
	if item.Skip != "" {
		f.Skipped[item.Skip]++
		return
	}
	for i, t := range tools {
		row := &f.Tools[i]
		if KindOf(t.Name).Suits(item.Text) {
			row.Texts++
		}
		for _, c := range found {
			if c.Tool == t.Name {
				row.add(c)
			}
		}
	}
	for _, c := range found {
		if c.Reason != "" {
			f.Dropped[c.Reason]++
		}
	}
}

func (f *ToolFigures) add(c Candidate) {
	f.Candidates++
	if c.Gain != nil {
		f.Scored++
		for i, tau := range Thresholds {
			if *c.Gain >= tau {
				f.Reached[i]++
			}
		}
	}
	if c.Reason == "" {
		f.Kept++
	}
}

func newFigures(tools []Tool) Figures {
	f := Figures{Skipped: map[string]int{}, Dropped: map[string]int{}}
	for _, t := range tools {
		f.Tools = append(f.Tools, ToolFigures{Tool: t.Name, Settings: t.Settings,
			Reached: slices.Repeat([]int{0}, len(Thresholds))})
	}
	return f
}
