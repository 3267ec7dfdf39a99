package baidu

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// captchaTitle is the whole title of a captcha page. As a topic the words stand in the
// title too, but with "_百度搜索" behind them.
const captchaTitle = "百度安全验证"

// demands are what captcha pages say. They are also what people search for, so they count
// only where a page holds no result and the query does not hold them itself.
var demands = []string{"请输入验证码", "网络不给力，请稍后重试", "网络不给力,请稍后重试", "拖动左侧滑块", "请完成下方验证"}

// bareWord is on captcha pages, but also on many others.
const bareWord = "安全验证"

// What Baidu says when it has found nothing; the second of it alone is weak.
const (
	noResult = "没有找到"
	regret   = "抱歉"
)

// isCaptchaURL is for the final address and for a Location. The host is compared, not
// the text: the address may itself be what was searched for.
func isCaptchaURL(u *url.URL) bool {
	return u != nil && u.Hostname() == "wappass.baidu.com" && strings.HasPrefix(u.Path, "/static/captcha")
}

// isBlockedAnswer tells a block by what surrounds the body: where it led to, and the status 403 with nothing to read.
func isBlockedAnswer(resp *fetch.Response) bool {
	if isCaptchaURL(resp.URL) || resp.Status == http.StatusForbidden && len(bytes.TrimSpace(resp.Body)) == 0 {
		return true
	}
	location, err := url.Parse(resp.Header.Get("Location"))
	return err == nil && isCaptchaURL(location)
}

// isBlockedJSON tells a block from a body in JSON, whichever form was asked for.
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

// judge classifies a page without results: CaptchaBlocked, Empty, or Malformed, which is anything
// else. Unambiguous phrases are checked first; source, the page with its scripts, comes last,
// because the scripts of every page contain phrases for a failing network.
func judge(p page, source, query string) fetch.Kind {
	seen := p.title + " " + p.text
	switch {
	case says(seen, query, demands...):
		return fetch.CaptchaBlocked
	case says(seen, query, noResult):
		return fetch.Empty
	case says(seen, query, bareWord):
		return fetch.CaptchaBlocked
	case says(seen, query, regret):
		return fetch.Empty
	case says(source, query, demands...), says(source, query, "wappass.baidu.com/static/captcha"):
		return fetch.CaptchaBlocked
	}
	return fetch.Malformed
}

// says reports that text holds one of the phrases other than as an echo of the query.
func says(text, query string, phrases ...string) bool {
	query = strings.Join(strings.Fields(query), "")
	for _, p := range phrases {
		if strings.Contains(text, p) && !strings.Contains(query, p) {
			return true
		}
	}
	return false
}
