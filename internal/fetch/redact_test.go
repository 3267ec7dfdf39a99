package fetch_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/fetch"
)

// TestErrorsHoldNoSecret sends keys to where every kind of error arises.
func TestErrorsHoldNoSecret(t *testing.T) {
	const key = "s3/cr+et"
	c, _ := client(t, fetch.Options{AllowPrivate: true, Retries: -1})
	for _, u := range []string{
		"http://127.0.0.1:1/?key=" + url.QueryEscape(key), "http://h/\x00?key=" + key, "http://[" + key + "]/", "http://" + url.PathEscape(key) + "/", "ftp://" + key,
	} {
		_, err := c.Do(context.Background(), fetch.Request{URL: u, Secrets: []string{key}})
		if err == nil {
			t.Errorf("%q was reached", u)
			continue
		}
		text := fmt.Sprintf("%v %+v %#v", err, err, err)
		if strings.Contains(err.Error(), "cr") || strings.Contains(text, key) {
			t.Errorf("%q: %s", u, text)
		}
	}
}
