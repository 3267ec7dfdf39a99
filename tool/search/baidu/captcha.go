package baidu

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// captchaTitle is the complete title of a captcha page. A page about the topic has the words in its title
// too, followed by "_百度搜索".
const captchaTitle = "百度安全验证"

// demands are phrases of captcha pages. People also search for them, so they count only if a page has no
// result and the query does not contain them.
var demands = []string{
	"请输入验证码", "网络不给力，请稍后重试", "网络不给力,请稍后重试", "拖动左侧滑块", "请完成下方验证",
}

// bareWord is on captcha pages, but also on many others.
const bareWord = "安全验证"

// Phrases of Baidu for an empty result; the second one alone is weak evidence.
const (
	noResult = "没有找到"
	regret   = "抱歉"
)

// isCaptchaURL reports whether a final address or a Location is that of a captcha page. It compares the host
// and not the text, because the address may contain the query.
func isCaptchaURL(u *url.URL) bool {
	return u != nil && u.Hostname() == "wappass.baidu.com" && strings.HasPrefix(u.Path, "/static/captcha")
}

// isBlockedAnswer recognises a block without reading the body: by the redirect's target, or by status 403
// with an empty body.
func isBlockedAnswer(resp *fetch.Response) bool {
	if isCaptchaURL(resp.URL) || resp.Status == http.StatusForbidden && len(bytes.TrimSpace(resp.Body)) == 0 {
		return true
	}
	location, err := url.Parse(resp.Header.Get("Location"))
	return err == nil && isCaptchaURL(location)
}

// isBlockedJSON recognises a block in a JSON body, even if HTML was requested.
func isBlockedJSON(body string) bool {
	var in struct {
		AntiFlag json.RawMessage `json:"antiFlag"`
		Message  json.RawMessage `json:"message"`
	}
	if json.Unmarshal([]byte(replaceControls(body)), &in) != nil {
		return false
	}
	flag := strings.Trim(string(in.AntiFlag), `"`)
	return flag == "1" || flag == "true" ||
		strings.Contains(strings.ToLower(string(in.Message)), "forbid spider access")
}

// judge classifies a page without results as CaptchaBlocked, Empty or, for anything else, Malformed.
// Unambiguous phrases are checked first. source, the page with its scripts, comes last, because the scripts
// of every page contain phrases for a failing network.
func judge(p page, source, query string) fetch.Kind {
	seen := p.title + " " + p.text
	switch {
	case containsAny(seen, query, demands...):
		return fetch.CaptchaBlocked
	case containsAny(seen, query, noResult):
		return fetch.Empty
	case containsAny(seen, query, bareWord):
		return fetch.CaptchaBlocked
	case containsAny(seen, query, regret):
		return fetch.Empty
	case containsAny(source, query, demands...), containsAny(source, query, "wappass.baidu.com/static/captcha"):
		return fetch.CaptchaBlocked
	}
	return fetch.Malformed
}

// containsAny reports whether text contains one of the phrases, other than as an echo of the query.
func containsAny(text, query string, phrases ...string) bool {
	query = strings.Join(strings.Fields(query), "")
	for _, p := range phrases {
		if strings.Contains(text, p) && !strings.Contains(query, p) {
			return true
		}
	}
	return false
}
