package api

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api/documents"
)

// Incomplete is the key of an output that lacks documents because a later page failed. Its value says why.
const Incomplete = "incomplete"

// pageError is the failure of a page after the first.
type pageError struct {
	page int
	err  error
}

func (e *pageError) Error() string { return fmt.Sprintf("page %d failed: %v", e.page, e.err) }
func (e *pageError) Unwrap() error { return e.err }

// incomplete adds to the documents of the earlier pages why there are no more, for the agent and for the log.
func (c *call) incomplete(out tool.Output, failed *pageError) tool.Output {
	why := fmt.Sprintf("%s; these are the results of %s", c.run.secrets().Error(failed),
		text.Counted(failed.page-1, "page"))
	out.Object[Incomplete] = why
	if c.run.options.Log != nil {
		c.run.options.Log(fmt.Sprintf("tool %s: %s", c.name, why))
	}
	return out
}

// pages makes the last request and those of further pages. If a further page fails, it returns the documents so far and
// a *pageError.
func (c *call) pages(ctx context.Context, i int) (tool.Output, error) {
	r := &c.file.Requests[i]
	var all documents.Collection
	var page map[string]any
	limit := 0
	found := func() tool.Output {
		return tool.Output{Object: map[string]any{},
			Documents: all.Documents(c.file, c.query(), limit, c.run.hide)}
	}
	for n := 1; ; n++ {
		result, scene, err := c.request(ctx, i, page, n > 1)
		switch {
		case err != nil && n == 1:
			return tool.Output{}, err
		case err != nil:
			return found(), &pageError{n, err}
		}
		if result.Passed > 0 && c.run.options.Passed != nil {
			c.run.options.Passed(result.Passed)
		}
		isNew := all.Add(result.Rows)
		if n == 1 {
			limit = documents.AtMost(ctx, c.file.Documents, scene)
		}
		if r.Pages == nil || n == r.Pages.AtMost || !isNew || all.Len() >= limit {
			return found(), nil
		}
		next, err := r.Pages.Next.First(ctx, scene)
		if err == nil {
			page, err = change(next, scene.Address)
		}
		if err != nil {
			return found(), &pageError{n + 1, &fetch.Error{Kind: fetch.Malformed, Host: hostOf(scene.Address),
				Err: fmt.Errorf("its address is not known: %w", err)}}
		}
		if page == nil {
			return found(), nil
		}
	}
}

// change returns the query fields of the next page; nil after the last page. next is an object, or an address of the
// same host and path.
func change(next any, address string) (map[string]any, error) {
	switch next := next.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		if len(next) == 0 {
			return nil, nil
		}
		return next, nil
	case string:
		if next == "" {
			return nil, nil
		}
		now, err := url.Parse(address)
		if err != nil {
			return nil, errors.New("the address of this page cannot be read")
		}
		to, err := now.Parse(next)
		if err != nil || to.Scheme != now.Scheme || to.Host != now.Host || to.EscapedPath() != now.EscapedPath() ||
			to.User != nil {
			return nil, errors.New("its address is not of the same host and path")
		}
		out := map[string]any{}
		for name := range now.Query() {
			out[name] = nil
		}
		for name, values := range to.Query() {
			list := make([]any, len(values))
			for i, v := range values {
				list[i] = v
			}
			out[name] = list
		}
		return out, nil
	}
	return nil, errors.New("it is neither an address nor an object")
}
