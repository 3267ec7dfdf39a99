package wire_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/wire"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

func TestReadWhole(t *testing.T) {
	p := peerAt(t, "http://h/v1")
	most := strings.Repeat("x", wire.MaxBody)
	if raw, err := p.ReadWhole(t.Context(), strings.NewReader(most)); err != nil || string(raw) != most {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
	endless := &repeats{unit: []byte(most[:1<<16])}
	_, err := p.ReadWhole(t.Context(), endless)
	checkError(t, err, model.ErrMalformed, "longer than 16777216 bytes; check that TEST_BASE_URL (http://h/v1) leads to a test API")
	if endless.given > wire.MaxBody+1<<16 {
		t.Errorf("%d bytes were read", endless.given)
	}
}

func TestErrorReply(t *testing.T) {
	body := &repeats{unit: []byte("x")}
	resp := wiretest.OK("")
	resp.StatusCode, resp.Body = 404, io.NopCloser(body)
	if r := wire.ErrorReply(resp); r.Status != 404 || len(r.Body) != 64<<10 {
		t.Errorf("status %d with %d bytes", r.Status, len(r.Body))
	}
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(errors.New("reset"))))
	if r := wire.ErrorReply(resp); string(r.Body) != "{" {
		t.Errorf("%q", r.Body)
	}
}

func TestIsStream(t *testing.T) {
	for _, c := range []struct {
		contentType, body string
		want              bool
	}{
		{"text/event-stream; charset=utf-8", "<html>", true},
		{"application/json", "data: {}", false}, {"application/problem+json", "data: {}", false}, {"text/html", "data: {}", false},
		{"", "data: {}", true}, {"application/octet-stream", ": c", true}, {"text/plain", "event: x", true},
		{"", `{}`, false}, {"", `[]`, false}, {"", "<html>", false}, {"", "\n{}", false}, {"", "", false},
	} {
		if got := wire.IsStream(c.contentType, bufio.NewReader(strings.NewReader(c.body))); got != c.want {
			t.Errorf("IsStream(%q, %q) = %v", c.contentType, c.body, got)
		}
	}
}

func TestDescribe(t *testing.T) {
	p := peerAt(t, "http://h/v1")
	html := http.Header{"Content-Type": {"text/html"}}
	long := strings.Repeat("x", 299) // the quotation would be cut within the next letter
	for want, r := range map[string]wire.Reply{
		"status 204 No Content: the empty reply":                                       {Status: 204},
		"status 529: the empty reply":                                                  {Status: 529},
		"status 200 OK: the reply (text/html) that begins <p> [API key]":               {Status: 200, Header: html, Body: []byte("<p>\n" + testKey)},
		"status 200 OK: the reply (without a Content-Type) that begins " + long + " …": {Status: 200, Body: []byte(long + "é")},
	} {
		if got := p.Describe(r); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// Quoted text is on one line, is short, and contains no part of a key.
func TestQuote(t *testing.T) {
	p := peerAt(t, "http://h/v1")
	rapid.Check(t, func(rt *rapid.T) {
		before := rapid.StringN(0, 320, -1).Draw(rt, "before")
		got := p.Quote(before + testKey + rapid.String().Draw(rt, "after"))
		if len(got) > 300+len(" …") || !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			rt.Errorf("%q", got)
		}
		if strings.Contains(got, testKey[:12]) {
			rt.Errorf("%q holds a part of the key", got)
		}
	})
}

func TestRejected(t *testing.T) {
	p := peerAt(t, "http://h/v1")
	full := wire.Stated{Codes: []string{"too_fast"}, Message: "slow\ndown, " + testKey, Request: "r1"}
	bare := wire.Stated{}
	const look = "; check that model \"m\" accepts these settings and tools; some refuse a temperature or a forced tool"
	for _, c := range []struct {
		status int
		header http.Header
		body   string
		stated wire.Stated
		want   string
	}{
		{429, http.Header{"Retry-After": {"1"}}, "{}", full, "ask h: status 429 Too Many Requests (too_fast): slow down, [API key]; retry after 1; request r1; wait, or lower --concurrency"},
		{400, nil, "<p>\n" + testKey, bare, "ask h: status 400 Bad Request: the body begins <p> [API key]" + look},
		{400, nil, "", bare, "ask h: status 400 Bad Request" + look},
		{307, http.Header{"Location": {"/v2"}}, "", bare, "ask h: status 307 Temporary Redirect; it redirects to /v2, and redirects are not followed: point TEST_BASE_URL there"},
		{200, http.Header{"Location": {"/v2"}}, "", bare, "ask h: status 200 OK" + look},
	} {
		kind := model.ErrBadRequest
		if c.status == http.StatusTooManyRequests {
			kind = model.ErrRateLimited
		}
		err := p.Rejected(wire.Reply{Status: c.status, Header: c.header, Body: []byte(c.body)}, c.stated, kind)
		if checkError(t, err, kind, ""); err.Err.Error() != c.want || (err.RetryAfter == time.Second) != (c.header.Get("Retry-After") == "1") {
			t.Errorf("%v after %v\nwant %s", err.Err, err.RetryAfter, c.want)
		}
	}
}
