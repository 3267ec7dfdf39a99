package serper

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// hit is one piece of a reply, on its way to become a document.
type hit struct {
	kind  string // answerBox, knowledgeGraph or organic/n: names what has no link
	title string
	link  string
	text  string
}

// reply is what both vendors' bodies come down to.
type reply struct {
	hits    []hit
	status  int    // as the body states it; 0 if it does not
	message string // of a failure
	pending bool   // the search has not been run yet
	known   bool   // the body says what was found, be it nothing
}

// read tells results from failures. A status of 200 is not success, and a status in the
// body stands above that of the connection, which a gateway may have set.
func (b *Backend) read(resp *fetch.Response) ([]hit, error) {
	r, err := b.dialect.decode(resp.Body)
	r.message = b.fit(r.message, maxMessage)
	stated := *resp
	if r.status >= 400 && r.status <= 599 {
		stated.Status = r.status
	}
	if stated.Status >= 400 {
		return nil, b.failure(&stated, r.message)
	}
	malformed := func(format string, args ...any) error {
		return &fetch.Error{Kind: fetch.Malformed, Host: resp.URL.Host, Status: resp.Status, Err: fmt.Errorf("read "+b.Name()+" reply: "+format, args...)}
	}
	switch {
	case stated.Status < 200 || stated.Status > 299:
		return nil, malformed("status %d is neither results nor a failure", stated.Status)
	case err != nil:
		return nil, malformed("%w", err)
	case r.message != "" && !r.known:
		return nil, b.failure(&stated, r.message)
	case r.pending:
		return nil, b.failure(&stated, "the search is not finished yet: ask again later")
	case !r.known:
		return nil, malformed("it holds neither results nor an error")
	}
	return r.hits, nil
}

// failure maps what went wrong to the taxonomy: by the vendor's words where it is known
// to tell two failures apart by words alone, else by the status.
func (b *Backend) failure(resp *fetch.Response, message string) error {
	e := resp.Failure()
	if e == nil { // a failure that came with 200
		e = &fetch.Error{Kind: fetch.Upstream, Host: resp.URL.Host, Status: resp.Status}
	}
	if kind := b.dialect.classify(resp.Status, message); kind != "" {
		e.Kind = kind
	}
	if message == "" {
		message = fmt.Sprintf("status %d", resp.Status)
	}
	switch e.Kind {
	case fetch.Auth:
		message += " (check " + b.dialect.variable + ")"
	case fetch.Quota:
		message += " (the account at " + b.dialect.source + " is used up)"
	}
	e.Err = errors.New(b.Name() + " says: " + message)
	return e
}

// decode reads one JSON object. What encoding/json says of a wrong type quotes the
// input, so the message is rephrased.
func decode(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return errors.New("it is no JSON object")
		}
		return fmt.Errorf("%s is not of the documented type", wrong.Field)
	}
	if err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	return nil
}

func mentions(message string, phrases ...string) bool {
	message = strings.ToLower(message)
	for _, p := range phrases {
		if strings.Contains(message, p) {
			return true
		}
	}
	return false
}
