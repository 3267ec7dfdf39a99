package wikipedia

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// reply is one answer of the API.
type reply struct {
	pages         []page
	next          map[string]string // parameters that ask for the rest
	batchComplete bool              // all that there is about these pages has come
}

// read tells results from failures. The API reports most failures with status 200; the
// answers of other statuses may come from a gateway that knows nothing of the API.
func read(resp *fetch.Response) (reply, error) {
	in, err := decode(resp.Body)
	if err == nil && in.failure.code != "" {
		return reply{}, failure(resp, in.failure)
	}
	if e := resp.Failure(); e != nil {
		if resp.Status == http.StatusForbidden {
			e.Err = errors.New("the server refuses us (status 403): check that the User-Agent names the program and a contact")
		}
		return reply{}, e
	}
	malformed := &fetch.Error{Kind: fetch.Malformed, Host: resp.URL.Host, Status: resp.Status}
	switch {
	case resp.Status != http.StatusOK:
		malformed.Err = fmt.Errorf("status %d is neither results nor a failure", resp.Status)
	case err != nil:
		malformed.Err = fmt.Errorf("read answer: %w", err)
	default:
		return in.reply, nil
	}
	return reply{}, malformed
}

type decoded struct {
	reply
	failure apiError
}

// apiError is a failure that the API itself reports.
type apiError struct{ code, info string }

// decode reads an answer of either format version. Warnings and whatever else is not named
// here are passed over.
func decode(body []byte) (decoded, error) {
	var in struct {
		Error         *wireError                 `json:"error"`
		Errors        []wireError                `json:"errors"`
		BatchComplete json.RawMessage            `json:"batchcomplete"`
		Continue      map[string]json.RawMessage `json:"continue"`
		Query         *struct {
			Pages json.RawMessage `json:"pages"`
		} `json:"query"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return decoded{}, plain(err)
	}
	out := decoded{reply: reply{batchComplete: isSet(in.BatchComplete), next: map[string]string{}}}
	switch {
	case in.Error != nil:
		out.failure = in.Error.plain()
		return out, nil
	case len(in.Errors) > 0:
		out.failure = in.Errors[0].plain()
		return out, nil
	case in.Query == nil && in.Continue == nil && !out.batchComplete:
		return decoded{}, errors.New("it holds neither results nor an error")
	}
	for k, v := range in.Continue {
		if s := scalar(v); s != "" {
			out.next[k] = s
		}
	}
	if in.Query == nil {
		return out, nil // how nothing found looks with a generator
	}
	var err error
	out.pages, err = decodePages(in.Query.Pages)
	return out, err
}

type wireError struct {
	Code string `json:"code"`
	Info string `json:"info"` // errorformat=bc, the default
	Text string `json:"text"` // plaintext
	HTML string `json:"*"`
}

func (e wireError) plain() apiError {
	out := apiError{code: clip(clean(e.Code), 100), info: e.Info}
	if out.info == "" {
		out.info = e.Text
	}
	if out.info == "" {
		out.info = e.HTML
	}
	if out.code == "" {
		out.code = "unknown"
	}
	out.info = clip(strings.Join(strings.Fields(clean(out.info)), " "), 200)
	return out
}

// wirePage is a page as the API writes it. missing is "" or true, by the format version.
type wirePage struct {
	ID        int64           `json:"pageid"`
	Title     string          `json:"title"`
	Index     int             `json:"index"`
	Extract   *string         `json:"extract"`
	Canonical string          `json:"canonicalurl"`
	Full      string          `json:"fullurl"`
	Missing   json.RawMessage `json:"missing"`
	Invalid   json.RawMessage `json:"invalid"`
}

// decodePages reads an object by page id (format version 1), or a list (2).
func decodePages(raw json.RawMessage) ([]page, error) {
	var list []wirePage
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0, string(raw) == "null":
		return nil, nil // a search without the generator's pages: nothing found
	case raw[0] == '[':
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, plain(err)
		}
	default:
		var byID map[string]wirePage
		if err := json.Unmarshal(raw, &byID); err != nil {
			return nil, plain(err)
		}
		for _, p := range byID {
			list = append(list, p)
		}
	}
	var out []page
	for _, p := range list {
		title := oneLine(p.Title)
		if isSet(p.Missing) || isSet(p.Invalid) || p.ID <= 0 || title == "" {
			continue
		}
		it := page{id: p.ID, index: max(0, p.Index), title: clip(title, 300), url: p.Canonical}
		if it.url == "" {
			it.url = p.Full
		}
		if p.Extract != nil {
			it.extract, it.complete = clip(paragraphs(*p.Extract), 64<<10), true
		}
		out = append(out, it)
	}
	return out, nil
}

// isSet reads a flag: present in format version 1, true in version 2.
func isSet(raw json.RawMessage) bool {
	s := string(raw)
	return s != "" && s != "false" && s != "null"
}

// scalar gives a string or number as a parameter's value.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// plain says what is wrong without quoting the input, as encoding/json does.
func plain(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return errors.New("it is not the documented JSON object")
		}
		return fmt.Errorf("%s is not of the documented type", clip(clean(wrong.Field), 100))
	}
	return errors.New("it is no JSON, or breaks off")
}
