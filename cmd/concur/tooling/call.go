package tooling

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
)

// Call is a call of a tool.
type Call struct {
	Name      string // of the tool
	Arguments string // as JSON
	// Make makes the call with changed options of the tools that are files.
	Make func(ctx context.Context, change func(*api.Options)) (tool.Result, error)
}

// exchanges makes the call, and returns what was sent and received. transport replaces the network; nil means the
// network.
func (c Call) exchanges(ctx context.Context, transport http.RoundTripper) (all []api.Exchange, res tool.Result,
	err error) {
	var mu sync.Mutex
	res, err = c.Make(ctx, func(o *api.Options) {
		o.Transport = transport
		o.Record = func(x api.Exchange) {
			mu.Lock()
			defer mu.Unlock()
			all = append(all, x)
		}
	})
	return all, res, err
}

// unsent is a transport that sends nothing.
type unsent struct{}

// RoundTrip returns an error.
func (unsent) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("the request is only shown, and not sent")
}

// FirstRequest returns what a call of a tool that is a file would send first, with its keys replaced.
func FirstRequest(ctx context.Context, c Call) (string, error) {
	all, res, err := c.exchanges(ctx, unsent{})
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", errors.New(cmp.Or(document.Printable(res.Error), "this tool sends no request that can be shown"))
	}
	return document.PrintableLines(all[0].Request), nil
}
