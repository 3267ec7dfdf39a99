package backend_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/seed-5817661a/concur/internal/fetch"
	"github.com/seed-5817661a/concur/tool/api/backend"
	"github.com/seed-5817661a/concur/trace"
)

// baiduFailure runs a search that must fail.
func baiduFailure(t *testing.T, b *backend.Backend, query string) *fetch.Error {
	t.Helper()
	docs, err := b.Search(context.Background(), query, 5)
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || docs != nil {
		t.Fatalf("%v, %v; want a *fetch.Error", docs, err)
	}
	return e
}

func compareBaidu(t *testing.T, got, want []trace.Document) {
	t.Helper()
	for i := range want {
		want[i].Backend = "baidu"
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(trace.Document{}, "Score")); diff != "" {
		t.Error(diff)
	}
	for _, d := range got {
		if d.Score < 0 || d.Score > 1 {
			t.Errorf("%s: score %v", d.Ref, d.Score)
		}
	}
}

var results = []trace.Document{
	{Ref: "https://baike.example.cn/item/%E9%95%BF%E6%B1%9F", Title: "长江（亚洲第一长河） - 百科", Source: "baike.example.cn",
		Snippet: "2024年1月2日 - 长江全长<约>6300公里 发源于青藏高原 & 唐古拉山。"},
	{Ref: "https://www.baidu.com/link?url=BBB222", Title: "长江_图片", Source: "www.baidu.com", Snippet: "流域面积 180万平方公里"},
	{Ref: "https://river.example.org/yangtze", Title: "Yangtze", Source: "river.example.org", Snippet: "The longest river in Asia. 6,300 km"},
	{Ref: "https://plain.example.org/a", Title: "无标题标签", Source: "plain.example.org", Snippet: "长江的长度"},
}

func TestBaiduPage(t *testing.T) {
	b := open(t, baidu, options{}, func(w http.ResponseWriter, r *http.Request) {
		want := url.Values{"wd": {"长江 长度"}, "ie": {"utf-8"}, "rn": {"10"}, "pn": {"0"}}
		if diff := cmp.Diff(want, r.URL.Query()); diff != "" || r.Method != "GET" || r.URL.Path != "/s" {
			t.Errorf("%s %s: %s", r.Method, r.URL.Path, diff)
		}
		if h := r.Header; !strings.Contains(h.Get("User-Agent"), "Chrome/") || h.Get("Accept-Language") != "zh-CN,zh;q=0.9,en;q=0.8" || h.Get("Referer") != "http://"+r.Host+"/" {
			t.Errorf("headers %v", h)
		}
		io.WriteString(w, recording(t, "results.html"))
	})
	docs, err := b.Search(context.Background(), "长江 长度", 10)
	if err != nil {
		t.Fatal(err)
	}
	compareBaidu(t, docs, results)
}

func TestBaiduGBK(t *testing.T) {
	source := recording(t, "results.html")
	for name, c := range map[string]struct{ contentType, charset string }{
		"by header":      {"text/html; charset=GBK", "charset=utf-8"},
		"by meta":        {"text/html", "charset=gb2312"},
		"by the look":    {"text/html", "lang=zh"},
		"header unknown": {"text/html; charset=klingon", "lang=zh"},
	} {
		body, err := simplifiedchinese.GBK.NewEncoder().String(strings.ReplaceAll(strings.ReplaceAll(source, "charset=utf-8", c.charset), "&nbsp;", " "))
		if err != nil {
			t.Fatal(err)
		}
		b := open(t, baidu, options{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", c.contentType)
			io.WriteString(w, body)
		})
		docs, err := b.Search(context.Background(), "长江 长度", 10)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		compareBaidu(t, docs, results)
	}
}

func TestBaiduFeed(t *testing.T) {
	var asked url.Values
	b := open(t, baidu, options{settings: map[string]any{"form": "json"}}, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		io.WriteString(w, recording(t, "feed.json"))
	})
	docs, err := b.Search(context.Background(), "go channels", 10)
	if err != nil || asked.Get("tn") != "json" {
		t.Fatal(err, asked)
	}
	compareBaidu(t, docs, []trace.Document{
		{Ref: "https://go.example.org/?a=1&copy=2", Title: "Go & C++ 'channels'", Source: "go.example.org", Snippet: "Share memory by communicating <chan>."},
		{Ref: "http://www.baidu.com/link?url=J2", Title: "坏字 NUL", Source: "www.baidu.com"},
	})
	if docs[0].Score == 0 {
		t.Error("what covers the query scores nothing")
	}
}

func TestBaiduLimit(t *testing.T) {
	var page strings.Builder
	for i := range 80 {
		fmt.Fprintf(&page, `<div class="result"><h3><a href="https://h.example/%d">t</a></h3></div>`, i)
	}
	page.WriteString("</body></html>")
	b := answering(t, baidu, 200, page.String())
	for _, limit := range []int{-1, 0, 1, 10, 1000} {
		docs, err := b.Search(context.Background(), "q", limit)
		if want := max(0, min(limit, 50)); err != nil || len(docs) != want {
			t.Errorf("limit %d: %d documents, %v", limit, len(docs), err)
		}
	}
}

func TestBaiduCookiesAreKept(t *testing.T) {
	var mu sync.Mutex
	var sent []string
	b := open(t, baidu, options{}, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, r.Header.Get("Cookie"))
		switch len(sent) {
		case 1:
			http.SetCookie(w, &http.Cookie{Name: "BAIDUID", Value: "ABC:FG=1", Path: "/", MaxAge: 3600})
		case 3:
			http.SetCookie(w, &http.Cookie{Name: "BAIDUID", MaxAge: -1})
		}
		io.WriteString(w, recording(t, "results.html"))
	})
	for range 4 {
		if _, err := b.Search(context.Background(), "q", 5); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"", "BAIDUID=ABC:FG=1", "BAIDUID=ABC:FG=1", ""}, sent); diff != "" {
		t.Error(diff)
	}
}

func TestBaiduConcurrentSearches(t *testing.T) {
	b := open(t, baidu, options{}, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "BAIDUID", Value: "ABC"})
		io.WriteString(w, recording(t, "results.html"))
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if docs, err := b.Search(context.Background(), "q", 10); err != nil || len(docs) != len(results) {
				t.Errorf("%v, %v", docs, err)
			}
		})
	}
	wg.Wait()
}

func TestBaiduSlowDripEnds(t *testing.T) {
	b := open(t, baidu, options{timeout: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `<html>`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	if e := baiduFailure(t, b, "q"); e.Kind != fetch.Timeout {
		t.Error(e)
	}
}

func TestBaiduHugePageIsRefused(t *testing.T) {
	if e := baiduFailure(t, answering(t, baidu, 200, recording(t, "results.html")+strings.Repeat("x", 10<<20)), "q"); e.Kind != fetch.Malformed {
		t.Error(e)
	}
}
