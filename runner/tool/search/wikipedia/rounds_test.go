package wikipedia_test

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
)

func TestContinuationBringsTheOtherExtracts(t *testing.T) {
	rounds := map[string]string{
		"": `{"continue":{"excontinue":1,"continue":"||info"},"query":{"pages":{
		   "1":{"pageid":1,"title":"One","index":1,"extract":"first"},"2":{"pageid":2,"title":"Two","index":2},"3":{"pageid":3,"title":"Three","index":3}}}}`,
		"1": `{"continue":{"excontinue":2,"continue":"||info"},"query":{"pages":{
		   "1":{"pageid":1,"title":"One","index":1},"2":{"pageid":2,"title":"Two","index":2,"extract":"second","canonicalurl":"https://x.example/2"},"3":{"pageid":3,"title":"Three","index":3}}}}`,
		"2": `{"batchcomplete":"","continue":{"gsroffset":5,"continue":"gsroffset||"},"query":{"pages":{"3":{"pageid":3,"title":"Three","index":3,"extract":""}}}}`,
	}
	var calls atomic.Int32
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		q := r.URL.Query()
		if q.Get("gsrsearch") != "x" || q.Get("excontinue") != "" && q.Get("continue") != "||info" {
			t.Errorf("asked %v", q)
		}
		io.WriteString(w, rounds[q.Get("excontinue")])
	})
	docs, err := search(b, "x")
	if err != nil || len(docs) != 3 || calls.Load() != 3 {
		t.Fatalf("%v, %v after %d calls", docs, err, calls.Load())
	}
	got := fmt.Sprint(docs[0].Snippet, docs[1].Snippet, docs[2].Snippet, docs[1].Ref)
	if want := fmt.Sprint("first", "second", "", "https://x.example/2"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEndlessContinuationIsBounded(t *testing.T) {
	var calls atomic.Int32
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"continue":{"excontinue":%d,"continue":"||"},"query":{"pages":{"1":{"pageid":1,"title":"One"}}}}`, calls.Add(1))
	})
	docs, err := search(b, "x")
	if err != nil || len(docs) != 1 || docs[0].Title != "One" || calls.Load() != 4 {
		t.Errorf("%v, %v after %d calls", docs, err, calls.Load())
	}
}

func TestALaterRoundThatFailsLeavesWhatCameBefore(t *testing.T) {
	b := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("excontinue") != "" {
			io.WriteString(w, `{"error":{"code":"ratelimited","info":"slow down"}}`)
			return
		}
		io.WriteString(w, `{"continue":{"excontinue":1,"continue":"||"},"query":{"pages":{"1":{"pageid":1,"title":"One","index":1,"extract":"first"},"2":{"pageid":2,"title":"Two","index":2}}}}`)
	})
	docs, err := search(b, "x")
	if err != nil || len(docs) != 2 || docs[0].Snippet != "first" || docs[1].Snippet != "" {
		t.Errorf("%v, %v", docs, err)
	}
}
