package backend_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func body(words string) string {
	return `<html><head><meta charset="utf-8"><title>提示</title></head><body><div>` + words + `</div></body></html>`
}

func titled(title string) string {
	return `<html><head><meta charset="utf-8"><title>` + title + `</title></head><body><p>…</p></body></html>`
}

func TestBaiduEachSignOfACaptcha(t *testing.T) {
	farDown := strings.Repeat(`<link rel="preload" href="https://ppui.example.cn/verify/a.js">`, 200)
	for name, c := range map[string]struct {
		status int
		body   string
		query  string
	}{
		"recorded page":             {200, recording(t, "captcha.html"), "长江"},
		"title":                     {200, titled("百度安全验证"), "长江"},
		"title, spaced":             {200, titled("\n 百度安全验证\t"), "长江"},
		"title far down":            {200, strings.Replace(titled("百度安全验证"), "<head>", "<head>"+farDown, 1), "长江"},
		"title, and the topic":      {200, titled("百度安全验证"), "百度安全验证"},
		"title over results":        {200, strings.Replace(recording(t, "results.html"), "长江 长度_百度搜索", "百度安全验证", 1), "长江"},
		"bare word":                 {200, body("请完成安全验证后继续"), "长江"},
		"enter the code":            {200, body("请输入验证码"), "长江"},
		"network":                   {200, body("网络不给力，请稍后重试"), "长江"},
		"network, half-width comma": {200, body("网络不给力,请稍后重试"), "长江"},
		"slider":                    {200, body("拖动<b>左侧</b>滑块"), "长江"},
		"complete":                  {200, body("请完成下方验证"), "长江"},
		"with regrets":              {200, body("抱歉，请完成安全验证"), "长江"},
		"in a script only":          {200, body(`<script>show("拖动左侧滑块填充拼图")</script>`), "长江"},
		"script leads there":        {200, body(`<script>location="https://wappass.baidu.com/static/captcha/tuxing.html"</script>`), "长江"},
		"JSON":                      {200, recording(t, "antiflag.json"), "长江"},
		"JSON flag":                 {200, `{"antiFlag":1}`, "长江"},
		"JSON flag as text":         {200, ` {"antiFlag":"1","data":[]}`, "长江"},
		"JSON message":              {200, `{"message":"Forbid spider access"}`, "长江"},
		"JSON, forbidden":           {403, `{"antiFlag":1}`, "长江"},
		"blank 403":                 {403, "", "长江"},
		"blank 403, white space":    {403, " \r\n", "长江"},
		"403 with the page":         {403, recording(t, "captcha.html"), "长江"},
		"503 with the page":         {503, body("请输入验证码"), "长江"},
	} {
		for _, form := range []string{"html", "json"} {
			b := open(t, baidu, options{settings: map[string]any{"form": form}}, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			if e := baiduFailure(t, b, c.query); e.Kind != fetch.CaptchaBlocked || e.Status != c.status {
				t.Errorf("%s: %s: %v", name, e.Kind, e)
			}
		}
	}
}

func TestBaiduRedirectToACaptchaIsNotFollowed(t *testing.T) {
	for location, want := range map[string]fetch.Kind{
		"https://wappass.baidu.com/static/captcha/tuxing.html?&ak=1&backurl=x": fetch.CaptchaBlocked,
		"http://wappass.baidu.com/static/captcha/tuxing_v2.html":               fetch.CaptchaBlocked,
		"//wappass.baidu.com/static/captcha":                                   fetch.CaptchaBlocked,
		"https://m.example.cn/s?wd=wappass.baidu.com/static/captcha":           fetch.Malformed,
		"/s?wd=https://wappass.baidu.com/static/captcha/":                      fetch.Malformed,
	} {
		asked := 0
		b := open(t, baidu, options{}, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Location", location)
			w.WriteHeader(302)
		})
		if e := baiduFailure(t, b, "长江"); e.Kind != want || asked != 1 {
			t.Errorf("%s: %s: %v after %d requests", location, e.Kind, e, asked)
		}
	}
}

// The captcha as a topic: the phrases of its pages are in results, titles and queries.
func TestBaiduCaptchaAsATopic(t *testing.T) {
	topic := recording(t, "topic.html")
	for _, query := range []string{"百度安全验证", "安全验证", "安全 验证 怎么办", "请输入验证码", "网络不给力，请稍后重试", "长江"} {
		docs, err := answering(t, baidu, 200, topic).Search(context.Background(), query, 5)
		if err != nil || len(docs) != 1 || docs[0].Ref != "https://help.example.cn/verify" {
			t.Errorf("%s: %v, %v", query, docs, err)
		}
		echo := strings.ReplaceAll(recording(t, "empty.html"), "qwzxvkj", query)
		if docs, err := answering(t, baidu, 200, echo).Search(context.Background(), query, 5); err != nil || len(docs) != 0 {
			t.Errorf("nothing found for %s: %v, %v", query, docs, err)
		}
	}
	feed := `{"antiFlag":0,"feed":{"entry":[{"title":"安全验证","url":"https://a.example/","abs":"antiFlag:1 Forbid spider access 请输入验证码"},{}]}}`
	if docs, err := answering(t, baidu, 200, feed).Search(context.Background(), "安全验证", 5); err != nil || len(docs) != 1 {
		t.Errorf("feed: %v, %v", docs, err)
	}
}

func TestBaiduEmpty(t *testing.T) {
	for name, source := range map[string]string{
		"recorded page": recording(t, "empty.html"),
		"not found":     body("很抱歉，没有找到与“x”相关的网页"),
		"regret":        body("抱歉，未找到相关结果"),
		"feed":          `{"feed":{"all":0,"entry":[]}}`,
		"feed of none":  `{"feed":{"entry":[{}]}}`,
	} {
		docs, err := answering(t, baidu, 200, source).Search(context.Background(), "qwzxvkj", 5)
		if err != nil || len(docs) != 0 {
			t.Errorf("%s: %v, %v", name, docs, err)
		}
	}
}

func TestBaiduFailures(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   fetch.Kind
	}{
		"home page":            {200, titled("百度一下，你就知道"), fetch.Malformed},
		"blank":                {200, "", fetch.Malformed},
		"NULs":                 {200, strings.Repeat("\x00", 1000), fetch.Malformed},
		"noise":                {200, "\xff\xfe<\x80\x81<<div class=result><h3><a href=", fetch.Malformed},
		"cut":                  {200, recording(t, "results.html")[:180], fetch.Malformed},
		"nested too deep":      {200, strings.Repeat("<div class=result>", 100_000), fetch.Malformed},
		"feed cut":             {200, `{"feed":{"entry":[{"title":"x"`, fetch.Malformed},
		"no feed":              {200, `{"data":[]}`, fetch.Malformed},
		"feed of another type": {200, `{"feed":[]}`, fetch.Malformed},
		"no entries":           {200, `{"feed":{}}`, fetch.Malformed},
		"entries of text":      {200, `{"feed":{"entry":["x"]}}`, fetch.Malformed},
		"a list":               {200, `[1]`, fetch.Malformed},
		"status over results":  {500, recording(t, "results.html"), fetch.Upstream},
		"500":                  {500, "<html>oops", fetch.Upstream},
		"503 in JSON":          {503, "{}", fetch.Upstream},
		"403 with words":       {403, "<html><title>403 Forbidden</title>nginx", fetch.Upstream},
		"404":                  {404, "<html>", fetch.NotFound},
		"400":                  {400, "", fetch.BadRequest},
	} {
		if e := baiduFailure(t, answering(t, baidu, c.status, c.body), "长江"); e.Kind != c.want || e.Host == "" {
			t.Errorf("%s: %s: %v; want %s", name, e.Kind, e, c.want)
		}
	}
}

func TestBaiduThrottleSaysWhenToComeBack(t *testing.T) {
	b := open(t, baidu, options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "300")
		w.WriteHeader(429)
	})
	if e := baiduFailure(t, b, "长江"); e.Kind != fetch.RateLimited || e.RetryAfter != 300*time.Second {
		t.Errorf("%s: %v after %v", e.Kind, e, e.RetryAfter)
	}
}
