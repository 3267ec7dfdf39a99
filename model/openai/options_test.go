package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model/openai"
)

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		o    openai.Options
		says string
	}{
		{openai.Options{}, "no model is named"},
		{openai.Options{Model: "m", Timeout: -1}, "timeout"},
		{openai.Options{Model: "m", BaseURL: "127.0.0.1:80/v1"}, "OPENAI_BASE_URL"},
		{openai.Options{Model: "m", BaseURL: "ftp://h/v1"}, "OPENAI_BASE_URL"},
		{openai.Options{Model: "m", BaseURL: "http://h:x/" + testKey}, "OPENAI_BASE_URL"},
		{openai.Options{Model: "m", BaseURL: "http://me:" + testKey + "@h/v1"}, "user name"},
		{openai.Options{Model: "m", BaseURL: "http://h/v1?key=" + testKey}, "query"},
		{openai.Options{Model: "m", APIKey: testKey + "\nX: y"}, "OPENAI_API_KEY"},
		{openai.Options{Model: "m", APIKey: "“" + testKey + "”"}, "OPENAI_API_KEY"},
	} {
		m, err := openai.New(c.o)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%v: got %v, want an error with %q and without the key", c.says, err, c.says)
		}
	}
}

func TestModelNeverPrintsItsKey(t *testing.T) {
	m := newModel(t, openai.Options{})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		if text := fmt.Sprintf(verb, m); strings.Contains(text, testKey) || strings.Contains(text, fmt.Sprintf("%x", testKey)) {
			t.Errorf("%s prints the key: %s", verb, text)
		}
	}
	if got := m.String(); got != "openai:m" {
		t.Errorf("String() = %q", got)
	}
}
