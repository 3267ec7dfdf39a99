package score

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/internal/lines"
)

// Files scores the last of the named files. If two are given, it also compares the last with the first, the
// baseline. A file is JSONL, optionally compressed with gzip.
func Files(ctx context.Context, names []string, stdin io.Reader, o Options, how ablations.Options) (*Score, error) {
	if len(names) < 1 || len(names) > 2 || len(names) == 2 && names[0] == names[1] {
		return nil, fmt.Errorf("name one file, or two different files, the baseline first; %d were given; - "+
			"means standard input", len(names))
	}
	o.Queries = o.Queries || len(names) == 2
	var scores []*Score
	for _, name := range names {
		s, err := readFile(ctx, name, stdin, o)
		if err != nil {
			return nil, err
		}
		scores = append(scores, s)
	}
	if len(scores) == 1 {
		return scores[0], nil
	}
	return scores[1], scores[1].Against(scores[0], how)
}

func readFile(ctx context.Context, name string, stdin io.Reader, o Options) (*Score, error) {
	in, shown, err := lines.Open(name, stdin)
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	defer in.Close()
	return Read(ctx, shown, in, o)
}

// Read scores recorded answers, one query per line. It keeps in memory one line, and the counts, agreement and
// id of each query. The error lists the lines that cannot be scored. With Options.Partial, these lines are left
// out instead.
func Read(ctx context.Context, name string, r io.Reader, o Options) (*Score, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("score %s: %w", name, err)
	}
	t := &tally{name: name, o: o, faults: &Faults{File: name}, rules: newStopRules(), lengths: map[int]*places{},
		outcomes: ablations.Outcomes{}}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Parallel))
	var adding sync.Mutex
	var failed error
	asks := o.Verifier != nil || o.Judge != nil || o.Extractor != nil
	lines.Each(lines.Decompressed(r), func(number int, text []byte, err error) {
		if within.Err() != nil || failed != nil {
			return
		}
		var l line
		switch {
		case errors.Is(err, lines.ErrLong):
			err = fmt.Errorf("%w; keep the short answers only", err)
		case err != nil:
			err = fmt.Errorf("the file cannot be read: %w; copy it again", err)
		default:
			l, err = o.parse(number, text)
		}
		if err == nil {
			err = t.once(l)
		}
		if err != nil {
			t.faults.add(number, err.Error())
			return
		}
		t.note(l)
		decide := func() error {
			out, err := o.decide(within, l, &t.typed)
			if err != nil {
				return err
			}
			adding.Lock()
			defer adding.Unlock()
			t.add(out)
			return nil
		}
		if !asks { // with one goroutine for each line, starting them would take longer than counting
			failed = decide()
			return
		}
		group.Go(decide)
	})
	failed = cmp.Or(failed, group.Wait())
	if err := cmp.Or(context.Cause(ctx), failed); err != nil {
		return nil, fmt.Errorf("score %s: %w", name, err)
	}
	if t.faults.Lines > 0 && (!o.Partial || t.queries == 0) { // if no query is left, the faults are the reason
		return nil, t.faults
	}
	if t.queries == 0 {
		return nil, fmt.Errorf("score %s: there is no line with answers; write "+
			"{\"id\":…,\"gold\":…,\"answers\":[…]} on each line", name)
	}
	if t.scored == 0 {
		return nil, fmt.Errorf("score %s: no line has a gold in %q; name its field with --gold, or one of verdicts "+
			"with --correct", name, o.Fields.Gold)
	}
	return t.score(), nil
}
