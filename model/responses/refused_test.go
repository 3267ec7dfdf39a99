package responses_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/model/responses"
	"github.com/seed-5817661a/concur/model/wire/wiretest"
)

// picky returns a model whose endpoint refuses one field, and the bodies that the endpoint gets. It replies
// with items.
func picky(t *testing.T, field, refusal string, items ...string) (*responses.Model, *[]string) {
	t.Helper()
	var bodies []string
	m := at(t, func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		bodies = append(bodies, string(raw))
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Error(err)
		}
		if fields[field] != nil {
			wiretest.Respond(400, "application/json", refusal)(w, r)
			return
		}
		wiretest.Respond(200, "application/json", replyOf(items...))(w, r)
	})
	return m, &bodies
}

// TestRefusedFieldsAreLeftOut checks that a refused field, and no other, is omitted in all later requests.
func TestRefusedFieldsAreLeftOut(t *testing.T) {
	for _, c := range []struct{ field, refusal string }{
		{"temperature", `{"error": {"message": "Unsupported parameter: 'temperature' is not supported with this model.", "type": "invalid_request_error", "param": "temperature", "code": "unsupported_parameter"}}`},
		{"temperature", `{"detail": [{"type": "extra_forbidden", "loc": ["body", "temperature"], "msg": "Extra inputs are not permitted"}]}`},
		{"include", `{"error": {"message": "Encrypted content is not supported with this model.", "type": "invalid_request_error", "param": "include", "code": null}}`},
		{"include", `{"error": {"message": "Unknown parameter: 'include'.", "type": "invalid_request_error", "param": "include[0]", "code": null}}`},
		{"include", `{"detail": "unsupported include value: reasoning.encrypted_content"}`},
		{"include", `{"detail": [{"type": "extra_forbidden", "loc": ["body", "include"], "msg": "Extra inputs are not permitted"}]}`},
	} {
		m, bodies := picky(t, c.field, c.refusal, text("", "a"))
		req := question
		req.Identity.Purpose = model.Agent
		for range 2 {
			got, err := m.Complete(t.Context(), req)
			if err != nil || got.Message.Content != "a" || got.Sent == nil {
				t.Fatalf("%s: %+v, %v", c.refusal, got, err)
			}
			// The user must know that a temperature was not sent; include is a field that concur adds.
			if told := slices.Contains(got.Sent.Unset, c.field); told != (c.field == "temperature") {
				t.Errorf("%s: not sent: %v", c.refusal, got.Sent.Unset)
			}
		}
		if len(*bodies) != 3 {
			t.Fatalf("%s: %d requests, want 3", c.refusal, len(*bodies))
		}
		first := parse(t, (*bodies)[0]).(map[string]any)
		delete(first, c.field)
		if diff := cmp.Diff(first, parse(t, (*bodies)[1])); diff != "" {
			t.Errorf("%s: more was left out:\n%s", c.refusal, diff)
		}
	}
}

// TestRefusedFieldsOfAClient checks that fields of a client of concur serve are not omitted, but fields that
// concur adds are.
func TestRefusedFieldsOfAClient(t *testing.T) {
	m, bodies := picky(t, "include", `{"error": {"message": "Encrypted content is not supported with this model.", "param": "include"}}`, text("", "a"))
	if got, err := m.Complete(model.Verbatim(t.Context()), question); err != nil || got.Message.Content != "a" || len(*bodies) != 2 {
		t.Errorf("%+v after %d requests, %v", got, len(*bodies), err)
	}
	m, bodies = picky(t, "temperature", `{"error": {"message": "Unsupported parameter: 'temperature'", "param": "temperature"}}`, text("", "a"))
	if _, err := m.Complete(model.Verbatim(t.Context()), question); err == nil || len(*bodies) != 1 {
		t.Errorf("after %d requests, %v", len(*bodies), err)
	}
}

// TestAStubbornEndpointIsNotAskedForever checks that the refusal of a field that was not sent is an error.
func TestAStubbornEndpointIsNotAskedForever(t *testing.T) {
	m := saying(t, 400, `{"error": {"message": "Encrypted content is not supported with this model.", "param": "include"}}`)
	for range 2 {
		_, err := m.Complete(t.Context(), question)
		fails(t, err, model.ErrBadRequest)
	}
}

// TestToolsThatIncludeAWord checks that a message with the word include is not the refusal of the field
// include.
func TestToolsThatIncludeAWord(t *testing.T) {
	m, bodies := picky(t, "include", `{"error": {"message": "Unsupported tool: tools must include a name"}}`, text("", "a"))
	_, err := m.Complete(t.Context(), question)
	if fails(t, err, model.ErrBadRequest); len(*bodies) != 1 {
		t.Errorf("%d requests", len(*bodies))
	}
}

// TestItemsKeepTheirBytesWithoutARefusedField checks that the items of a reply are sent back byte for byte,
// with their spaces and numbers, in a request from which a refused field was removed.
func TestItemsKeepTheirBytesWithoutARefusedField(t *testing.T) {
	items := []string{thought, again, searched, calc, text("commentary", "x < y\u2028"), lookup}
	for _, field := range []string{"temperature", "include"} {
		m, bodies := picky(t, field, `{"error": {"message": "Unsupported parameter", "param": "`+field+`"}}`, items...)
		r, err := m.Complete(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Complete(t.Context(), model.Request{Messages: answered(r)}); err != nil {
			t.Fatal(err)
		}
		last := (*bodies)[len(*bodies)-1]
		if want := strings.Join(items, ","); !json.Valid([]byte(last)) || !strings.Contains(last, want) {
			t.Errorf("without %s sent\n%s\nwhich lacks\n%s", field, last, want)
		}
	}
}
