package baidu

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// keptCookies are the cookies that make a visitor known, and blocks rarer. Others are not kept,
// which bounds what a server can have us hold.
var keptCookies = []string{"BAIDUID", "BAIDUID_BFESS", "BIDUPSID", "PSTM"}

const maxCookie = 512 // bytes

type cookies struct {
	mu    sync.Mutex
	value map[string]string
}

// keep takes over what a response sets. The requests go to one host alone and follow no
// redirect, so every response comes from the host that the cookies will go to.
func (c *cookies) keep(h http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, set := range (&http.Response{Header: h}).Cookies() {
		switch {
		case !slices.Contains(keptCookies, set.Name) || len(set.Value) > maxCookie:
		case set.MaxAge < 0:
			delete(c.value, set.Name)
		default:
			if c.value == nil {
				c.value = map[string]string{}
			}
			c.value[set.Name] = set.Value
		}
	}
}

// header is the Cookie header, in an order that does not change; empty before the first
// response.
func (c *cookies) header() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var pairs []string
	for _, name := range keptCookies {
		if v, ok := c.value[name]; ok {
			pairs = append(pairs, name+"="+v)
		}
	}
	return strings.Join(pairs, "; ")
}
