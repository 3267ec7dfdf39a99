package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api/ask"
	"github.com/seed-5817661a/concur/tool/api/spec"
	"github.com/seed-5817661a/concur/trace"
)

// Version changes when the same reply to the same request could give another result.
const Version = "api/v1"

// Tool is a tool of a file. It is safe for concurrent use.
type Tool struct {
	name     string
	file     *spec.File
	settings map[string]any
	key      ask.Key
	run      *Run
	client   *fetch.Client
}

// Spec describes the tool of a file to a model.
func Spec(name string, f *spec.File) tool.Spec {
	about := strings.TrimSpace(f.Description)
	if f.Documents != nil {
		about += " " + aboutResults
		if f.Documents.Score != nil {
			about += " " + aboutScore
		}
	}
	return tool.Spec{
		ToolSpec: model.ToolSpec{Name: name, Description: about, Parameters: f.Parameters.Schema()},
		Evidence: f.Documents != nil,
	}
}

const aboutResults = "Each result has an id to cite, a title, a snippet, its source, and a score from 0 to 1 that " +
	"says how much of the query it covers."

// aboutScore describes the score of a file whose mapping names it.
const aboutScore = "Its backend_score is the service's own score, in the service's unit."

// New returns the tool of a file with the user's settings. The error lists all wrong settings, or the variables of
// which one must be set; then it is an ask.ErrNoKey.
func New(name string, f *spec.File, settings map[string]any, run *Run) (*Tool, error) {
	complete, wrong := f.Settings.With(settings)
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	t := &Tool{name: name, file: f, settings: complete, run: run}
	var allow []netip.Prefix
	for i := range f.Requests {
		address, err := ask.Address(context.Background(), &f.Requests[i], &spec.Scene{Settings: complete,
			Clock: t.now()})
		if err != nil {
			return nil, fmt.Errorf("request %d: %w; change the settings", i+1, err)
		}
		allow = append(allow, addressesOf(address)...)
	}
	var err error
	if t.key, err = ask.FindKey(f, run.options.Environ); err != nil {
		return nil, err
	}
	run.guard(t.key.Secrets()...)
	t.client = run.client(allow, f.Pace.AtOnce)
	return t, nil
}

// addressesOf returns the addresses that a URL names as a number or as localhost.
func addressesOf(address string) []netip.Prefix {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	host := u.Hostname()
	if host == "localhost" {
		return []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || net.ParseIP(host) == nil {
		return nil
	}
	ip = ip.Unmap()
	return []netip.Prefix{netip.PrefixFrom(ip, ip.BitLen())}
}

// Warning names a variable whose value is so short that records cannot hide it; it returns "" if they can.
func (t *Tool) Warning() string {
	variable := t.key.Shown()
	if variable == "" {
		return ""
	}
	return fmt.Sprintf("tools.%s: the value of %s is short and like a word or a number, so records do not hide it: "+
		"use a longer key", t.name, variable)
}

func (t *Tool) now() int { return int(t.run.options.Now().Unix()) }

// Spec describes the tool.
func (t *Tool) Spec() tool.Spec { return Spec(t.name, t.file) }

// Call asks the service.
func (t *Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	ctx, cancel := withMargin(ctx)
	defer cancel()
	out, err := t.ask(ctx, arguments)
	if err != nil {
		return tool.Output{}, t.toolError(err)
	}
	return out, nil
}

// Find returns the documents for arguments, for a tool with evidence. A failure of the service is a *fetch.Error.
func (t *Tool) Find(ctx context.Context, arguments json.RawMessage) ([]trace.Document, error) {
	out, err := t.ask(ctx, arguments)
	if failed, is := errors.AsType[*fetch.Error](err); is && failed.Kind == fetch.Auth {
		if variables := t.key.Variables(t.file); variables != "" {
			named := *failed
			named.Err = fmt.Errorf("%w; %s", failed.Err, variables)
			err = &named
		}
	}
	return out.Documents, t.run.secrets().Error(err)
}

func (t *Tool) ask(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	args, err := t.file.Parameters.Decode(arguments)
	if err != nil {
		return tool.Output{}, &fetch.Error{Kind: fetch.BadRequest, Err: err}
	}
	c := call{Tool: t, args: args, clock: t.now()}
	return c.do(ctx)
}
