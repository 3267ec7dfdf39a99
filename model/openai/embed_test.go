package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
)

func TestEmbed(t *testing.T) {
	requests := 0
	m := at(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		var in struct {
			Input []string
			Model string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" || in.Model != "m" || r.Header.Get("Authorization") != "Bearer "+testKey {
			t.Errorf("%s %+v: %v", r.URL.Path, in, err)
		}
		var items []string
		for i := range in.Input { // in reverse order
			at := len(in.Input) - 1 - i
			items = append(items, fmt.Sprintf(`{"index":%d,"embedding":[%d,0.5]}`, at, len(in.Input[at])))
		}
		fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"m","usage":{"prompt_tokens":2}}`, strings.Join(items, ","))
	})
	texts := make([]string, 300)
	for i := range texts {
		texts[i] = strings.Repeat("x", i)
	}
	vectors, err := m.Embed(t.Context(), texts)
	if err != nil || len(vectors) != 300 || requests != 2 {
		t.Fatalf("%d vectors in %d requests: %v", len(vectors), requests, err)
	}
	for i, v := range vectors {
		if len(v) != 2 || v[0] != float32(i) {
			t.Fatalf("vector %d is %v", i, v)
		}
	}
}

func TestEmbedRefusesFaultyReplies(t *testing.T) {
	for _, body := range []string{
		`{}`, `[`, `{"data":[{"index":0,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`,
	} {
		m := at(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		_, err := m.Embed(t.Context(), []string{"a", "b"})
		checkError(t, err, model.KindOf(err))
		if err == nil {
			t.Errorf("%s is taken", body)
		}
	}
	m := at(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	_, err := m.Embed(t.Context(), []string{"a"})
	checkError(t, err, model.ErrAuth)
}
