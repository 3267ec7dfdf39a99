package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/internal/secret"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// Builder makes the requests of one call.
type Builder struct {
	File  *spec.File
	Key   Key
	token string // what Key sends, with its prefix; made at the first request
	made  bool
}

// Build makes request i. page changes its query fields; a null removes one. Errors are of the kind bad_request in the
// first request, which depends on arguments alone, else malformed.
func (b *Builder) Build(ctx context.Context, i int, s *spec.Scene, page map[string]any) (fetch.Request, error) {
	r := &b.File.Requests[i]
	out, err := b.build(ctx, r, s, page)
	if err == nil {
		return out, nil
	}
	if _, known := errors.AsType[*fetch.Error](err); known {
		return out, err
	}
	kind := fetch.BadRequest
	if i > 0 {
		kind = fetch.Malformed
	}
	return out, &fetch.Error{Kind: kind, Err: err}
}

func (b *Builder) build(ctx context.Context, r *spec.Request, s *spec.Scene, page map[string]any) (fetch.Request,
	error) {
	out := fetch.Request{Method: r.Method, Header: http.Header{}, NoRedirect: !r.Redirects}
	address, err := Address(ctx, r, s)
	if err != nil {
		return out, err
	}
	if address, err = withPath(ctx, address, r.Path, s); err != nil {
		return out, err
	}
	query, err := texts(ctx, "query", r.Query, s)
	if err != nil {
		return out, err
	}
	for name, v := range page {
		delete(query, name)
		if err := add(query, name, v); err != nil {
			return out, fmt.Errorf("pages.next: %w", err)
		}
	}
	headers, err := texts(ctx, "headers", r.Headers, s)
	if err != nil {
		return out, err
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, v := range headers[name] {
			if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r > '~' }) {
				return out, &fetch.Error{Kind: fetch.BadRequest,
					Err: fmt.Errorf("header %s can have visible ASCII and spaces alone", name)}
			}
			out.Header.Add(name, v)
		}
	}
	var form url.Values
	var body any
	if r.Form != nil {
		if form, err = texts(ctx, "form", r.Form, s); err != nil {
			return out, err
		}
	}
	if r.JSON != nil {
		if body, err = r.JSON.Eval(ctx, s); err != nil {
			return out, fmt.Errorf("json: %w", err)
		}
	}
	if !r.NoAuth {
		if err := b.authorize(ctx, s, out.Header, query, form, body); err != nil {
			return out, err
		}
	}
	out.Secrets = b.secrets()
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	out.URL = address
	switch {
	case form != nil:
		setDefault(out.Header, "Content-Type", "application/x-www-form-urlencoded")
		out.Body = []byte(form.Encode())
	case r.JSON != nil:
		setDefault(out.Header, "Content-Type", "application/json")
		if out.Body, err = json.Marshal(body); err != nil {
			return out, fmt.Errorf("json: %w", err)
		}
	}
	return out, nil
}

func setDefault(h http.Header, name, value string) {
	if h.Get(name) == "" {
		h.Set(name, value)
	}
}

// secrets lists the values in the requests that must be hidden.
func (b *Builder) secrets() []string {
	secrets := b.Key.Secrets()
	if len(secrets) > 0 && b.token != "" {
		secrets = append(secrets, b.token)
	}
	return secrets
}

// authorize puts the key into its place.
func (b *Builder) authorize(ctx context.Context, s *spec.Scene, header http.Header, query, form url.Values,
	body any) error {
	way := b.Key.way
	if way == nil || way.None {
		return nil
	}
	if !b.made {
		token, err := b.Key.token(ctx, s)
		if err != nil {
			return &fetch.Error{Kind: fetch.Auth, Err: err}
		}
		b.token, b.made = way.Prefix+token, true
	}
	switch {
	case way.Bearer:
		header.Set("Authorization", "Bearer "+b.token)
	case way.Header != "":
		header.Set(way.Header, b.token)
	case way.Query != "":
		query.Set(way.Query, b.token)
	case form != nil:
		form.Set(way.Body, b.token)
	default:
		fields, is := body.(map[string]any)
		if !is {
			return errors.New("json has no fields for the key")
		}
		fields[way.Body] = b.token
	}
	return nil
}

// Address returns the address of a request without path and query. It depends on settings alone.
func Address(ctx context.Context, r *spec.Request, s *spec.Scene) (string, error) {
	v, err := r.URL.Eval(ctx, &spec.Scene{Settings: s.Settings, Clock: s.Clock})
	if err != nil {
		return "", fmt.Errorf("url: %w", err)
	}
	address, is := v.(string)
	if !is {
		return "", errors.New("url: it gives no text")
	}
	if err := spec.CheckURL(address); err != nil {
		return "", fmt.Errorf("url: %w", err)
	}
	return address, nil
}

// withPath appends the parts of a path, each escaped.
func withPath(ctx context.Context, address string, path []spec.Value, s *spec.Scene) (string, error) {
	for i := range path {
		v, err := path[i].Eval(ctx, s)
		if err != nil {
			return "", fmt.Errorf("path: %w", err)
		}
		part, is := scalar(v)
		if !is || part == "" || part == "." || part == ".." || strings.ContainsAny(part, `/\`) ||
			strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7F }) {
			return "", &fetch.Error{Kind: fetch.BadRequest, Err: fmt.Errorf("%.80q cannot be a part of the path", part)}
		}
		address = strings.TrimSuffix(address, "/") + "/" + url.PathEscape(part)
	}
	return address, nil
}

// texts evaluates values that are sent as texts; a list repeats its key.
func texts(ctx context.Context, place string, fields spec.Fields, s *spec.Scene) (url.Values, error) {
	values, err := fields.Eval(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	out := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := add(out, name, values[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
	}
	return out, nil
}

// add adds a value, or each value of a list. A null adds nothing.
func add(out url.Values, name string, v any) error {
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	for _, item := range list {
		if item == nil {
			continue
		}
		text, is := scalar(item)
		if !is {
			return fmt.Errorf("%s is an object or a list of lists: give a text or a number", name)
		}
		out.Add(name, text)
	}
	return nil
}

// scalar returns a text, number or truth value as it is sent.
func scalar(v any) (string, bool) {
	switch v.(type) {
	case nil, []any, map[string]any:
		return "", false
	}
	return spec.Text(v), true
}

// Show returns a request as text, with its keys replaced: method and address, headers in order, and the body.
func Show(r fetch.Request, hider *secret.Hider) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s\n", r.Method, r.URL)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, v := range r.Header[name] {
			fmt.Fprintf(&out, "%s: %s\n", name, v)
		}
	}
	if len(r.Body) > 0 {
		fmt.Fprintf(&out, "\n%s\n", r.Body)
	}
	return hider.Hide(out.String())
}
