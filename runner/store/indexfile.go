package store

import "context"

// IndexOf returns an index of at least one query of the run.
func (r *Run) IndexOf(ctx context.Context, query string) (*Index, error) {
	x := NewIndex()
	if err := x.UpdateRecords(ctx, r); err != nil {
		return nil, err
	}
	return x, x.UpdateTraces(ctx, r)
}
