package spec

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// checker finds the mistakes of a decoded file.
type checker struct {
	*File
	name   string
	wrong  strictyaml.Errors
	broken bool // parts of the file could not be decoded
}

func (c *checker) fail(at strictyaml.Pos, path, format string, args ...any) {
	c.wrong = append(c.wrong, &strictyaml.Error{File: c.name, Line: at.Line, Column: at.Column, Path: path,
		Message: fmt.Sprintf(format, args...)})
}

// missing reports a key that is required and not given. A key that could not be decoded was reported before.
func (c *checker) missing(given strictyaml.Keys, at strictyaml.Pos, path, key, advice string) {
	if _, has := given[key]; !has {
		c.fail(at, path, "%s is missing: %s", key, advice)
	}
}

// evidenceName matches the beginnings of ids of documents.
var evidenceName = lazy.Compile(`^[a-z][a-z0-9]{0,31}$`)

func (c *checker) check() {
	top := strictyaml.Pos{Line: 1, Column: 1}
	if c.Given == nil { // the file is no mapping
		return
	}
	c.missing(c.Given, top, "", "description", "tell the model what the tool does")
	c.missing(c.Given, top, "", "requests", "say what is sent")
	_, hasDocuments := c.Given["documents"]
	_, hasObject := c.Given["object"]
	_, hasEvidence := c.Given["evidence"]
	switch {
	case hasEvidence && !evidenceName.MatchString(c.Evidence):
		c.fail(c.Given["evidence"], "evidence", "%q begins the ids of documents: use small letters and digits", c.Evidence)
	case hasDocuments && hasObject:
		c.fail(c.Given["object"], "object", "a tool gives documents or an object: leave one out")
	case hasEvidence && !hasDocuments:
		c.fail(c.Given["evidence"], "evidence", "documents is missing: say where they are in the reply")
	case hasDocuments && !hasEvidence:
		c.fail(c.Given["documents"], "documents", "evidence is missing: name the beginning of their ids")
	case !hasDocuments && !hasObject:
		c.fail(top, "", "object is missing: say what the tool gives")
	}
	if d := c.Documents; d != nil && d.Each == nil && !c.broken {
		c.fail(c.Given["documents"], "documents", "each is missing: say where the documents are in the reply")
	}
	if c.Cookies != "" && c.Cookies != CookiesCall && c.Cookies != CookiesRun {
		c.fail(c.Given["cookies"], "cookies", "%q is none of %s, %s", c.Cookies, CookiesCall, CookiesRun)
	}
	if p := c.Pace; p.Every < 0 || p.Every > 10*time.Minute || p.AtOnce < 1 || p.AtOnce > 100 {
		c.fail(c.Given["pace"], "pace", "every is 0s to 10m, at_once 1 to 100")
	}
	if _, given := c.Given["requests"]; given && (len(c.Requests) < 1 || len(c.Requests) > MaxRequests) && !c.broken {
		c.fail(c.Given["requests"], "requests", "there are %d requests: a tool has 1 to %d", len(c.Requests), MaxRequests)
	}
	for i := range c.Requests {
		c.request(i)
	}
	c.ways()
	c.names()
}

func (c *checker) request(i int) {
	r, path := &c.Requests[i], fmt.Sprintf("requests[%d]", i)
	last := i == len(c.Requests)-1
	fail := func(key, format string, args ...any) {
		at, given := r.Given[key]
		if !given {
			at = r.At
		}
		c.fail(at, path+"."+key, format, args...)
	}
	c.missing(r.Given, r.At, path, "url", "write https://host/path")
	if literal, is := r.URL.literal.(string); is && r.URL.is == isLiteral {
		if err := CheckURL(literal); err != nil {
			fail("url", "%v", err)
		}
	}
	if r.Method == "" {
		r.Method = http.MethodGet
		if r.HasBody() {
			r.Method = http.MethodPost
		}
	}
	switch {
	case !slices.Contains([]string{"GET", "POST", "PUT", "PATCH"}, r.Method):
		fail("method", "%q is none of GET, POST, PUT, PATCH", r.Method)
	case r.Method == http.MethodGet && r.HasBody():
		fail("method", "GET has no body: leave out method, form or json")
	case r.Form != nil && r.JSON != nil:
		fail("json", "a request has form or json: leave one out")
	}
	for _, h := range r.Headers {
		if !headerName.MatchString(h.Name) || slices.Contains(ownHeaders, http.CanonicalHeaderKey(h.Name)) {
			c.fail(h.at, path+".headers", "%q cannot be set here", h.Name)
		}
	}
	if bad := slices.IndexFunc(r.OK, func(s int) bool { return s < 100 || s > 599 }); bad >= 0 {
		fail("ok", "%d is no status", r.OK[bad])
	}
	if r.Pages != nil {
		c.pages(i, fail)
	}
	if k := r.Keep; k != nil {
		if k.For <= 0 {
			fail("keep", "for is missing: say how long, such as 1h")
		}
		for _, kind := range k.Renew {
			if !slices.Contains(Kinds, kind) {
				fail("keep", "renew: %s", unknownKind(kind))
			}
		}
	}
	if _, given := r.Given["empty"]; !given && last && c.Documents != nil {
		fail("empty", "request %d: empty is missing: what does a reply say that has found nothing?", i+1)
	}
}

func (c *checker) pages(i int, fail func(string, string, ...any)) {
	p := c.Requests[i].Pages
	switch {
	case i < len(c.Requests)-1 || c.Documents == nil:
		fail("pages", "only the last request of a tool with documents has pages")
	case p.Next == nil:
		fail("pages", "next is missing: say how the next page is asked for")
	case p.AtMost < minPages || p.AtMost > maxPages:
		fail("pages", "at_most is %d: give %d to %d", p.AtMost, minPages, maxPages)
	}
}

// ownHeaders are set by concur and the HTTP client. Cookies are kept by the key cookies.
var ownHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding", "Cookie",
	"Trailer", "Upgrade", "Te", "Expect"}

// ways checks that a key for the body finds a body.
func (c *checker) ways() {
	for i, w := range c.Auth {
		if w.Body == "" {
			continue
		}
		for j := range c.Requests {
			r := &c.Requests[j]
			if !r.NoAuth && r.Form == nil && (r.JSON == nil || r.JSON.is != isFields) {
				c.fail(c.Given["auth"], fmt.Sprintf("auth[%d].body", i),
					"request %d has neither form nor json with fields: give it one, or no_auth: true", j+1)
			}
		}
	}
}
