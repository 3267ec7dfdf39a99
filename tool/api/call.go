package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api/ask"
	"github.com/seed-5817661a/concur/tool/api/reply"
	"github.com/seed-5817661a/concur/tool/api/spec"
	"github.com/seed-5817661a/concur/trace"
)

// call is one call of a tool.
type call struct {
	*Tool
	args  map[string]any
	clock int

	builder ask.Builder
	jar     http.CookieJar
	replies []any
	fresh   bool     // kept replies are not used
	renew   []string // kinds of failures of which a kept reply that was used may be the cause
}

// do makes the requests of a call. If it used a kept reply and fails with a kind that this may cause, it makes them
// once more without.
func (c *call) do(ctx context.Context) (tool.Output, error) {
	out, err := c.once(ctx)
	failed, _ := errors.AsType[*fetch.Error](err)
	if failed != nil && slices.Contains(c.renew, string(failed.Kind)) {
		c.fresh = true
		out, err = c.once(ctx)
		failed, _ = errors.AsType[*fetch.Error](err)
	}
	if failed != nil && failed.Kind == fetch.CaptchaBlocked && failed.Host != "" {
		c.run.block(failed.Host, failed)
	}
	if page, is := errors.AsType[*pageError](err); is && !errors.Is(err, context.Canceled) {
		return c.incomplete(out, page), nil
	}
	return out, err
}

func (c *call) once(ctx context.Context) (tool.Output, error) {
	c.builder, c.replies = ask.Builder{File: c.file, Key: c.key}, nil
	switch c.file.Cookies {
	case spec.CookiesRun:
		c.jar = c.run.jar(c.name)
	case spec.CookiesCall:
		c.jar = newJar()
	}
	last := len(c.file.Requests) - 1
	for i := range last {
		result, _, err := c.request(ctx, i, nil, false)
		if err != nil {
			return tool.Output{}, err
		}
		if result.Empty {
			return c.nothing(), nil
		}
		c.replies = append(c.replies, result.Value)
	}
	if c.file.Documents != nil {
		return c.pages(ctx, last)
	}
	result, _, err := c.request(ctx, last, nil, false)
	switch {
	case err != nil:
		return tool.Output{}, err
	case result.Empty:
		return c.nothing(), nil
	}
	return tool.Output{Object: result.Object}, nil
}

// nothing is the output of a call that found nothing.
func (c *call) nothing() tool.Output {
	if c.file.Documents != nil {
		return tool.Output{Object: map[string]any{}, Documents: []trace.Document{}}
	}
	return tool.Output{Object: map[string]any{"result": nil}}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// query returns what the agent looks for: the argument query, or all texts among the arguments.
func (c *call) query() string {
	if q, is := c.args["query"].(string); is {
		return q
	}
	var texts []string
	for _, p := range c.file.Parameters {
		if s, is := c.args[p.Name].(string); is {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, " ")
}

// request makes request i with its tries, and judges the reply. page changes query fields; later reports that it is a
// further page.
func (c *call) request(ctx context.Context, i int, page map[string]any, later bool) (reply.Result, *spec.Scene, error) {
	scene := &spec.Scene{Settings: c.settings, Args: c.args, Replies: c.replies, Clock: c.clock}
	if i > 0 {
		scene.Input = c.replies[i-1]
	}
	r := &c.file.Requests[i]
	q, err := c.builder.Build(ctx, i, scene, page)
	if err != nil {
		return reply.Result{}, nil, err
	}
	q.Jar = c.jar
	c.run.guard(q.Secrets...)
	scene.Address = q.URL
	if r.Keep == nil {
		result, _, err := c.tries(ctx, i, q, scene, later)
		return result, scene, err
	}
	k, done, err := c.run.lookUp(ctx, keptKey(q))
	if err != nil {
		return reply.Result{}, nil, err
	}
	defer done()
	if k.reply != nil && c.run.options.Now().Before(k.until) && !c.fresh {
		c.renew = append(c.renew, r.Keep.Renew...)
		result := reply.Judge(ctx, c.file, i, k.reply, scene, later, c.run.hide)
		if result.Failure != nil {
			return result, scene, failureOf(k.reply, result.Failure)
		}
		return result, scene, nil
	}
	k.reply = nil
	result, response, err := c.tries(ctx, i, q, scene, later)
	if err != nil {
		return result, scene, err
	}
	c.guardSecret(ctx, r, scene)
	k.reply, k.until = response, c.run.options.Now().Add(r.Keep.For)
	return result, scene, nil
}

// guardSecret hides the texts that keep.secret gives.
func (c *call) guardSecret(ctx context.Context, r *spec.Request, scene *spec.Scene) {
	if r.Keep.Secret == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reply.Time)
	defer cancel()
	values, _ := r.Keep.Secret.All(ctx, scene) // an expression with an error gives no secret
	for _, v := range values {
		if s, is := v.(string); is {
			c.run.guard(s)
		}
	}
}
