package sandbox_test

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

func ExampleReadHost() {
	fmt.Println(sandbox.ReadHost("https://api.example.org"))
	fmt.Println(sandbox.ReadHost("data/texts"))
	// Output:
	// {api.example.org:443 true} true <nil>
	// { false} false <nil>
}

func TestReadHost(t *testing.T) {
	for entry, want := range map[string]string{
		"https://API.example.org/": "{api.example.org:443 true}", "http://10.0.0.7:6333": "{10.0.0.7:6333 false}",
		"http://[::1]": "{[::1]:80 false}", "https://a:65535": "{a:65535 true}",
	} {
		if h, is, err := sandbox.ReadHost(entry); !is || err != nil || fmt.Sprint(h) != want {
			t.Errorf("%s: %v, %v, %v, want %s", entry, h, is, err, want)
		}
	}
	for _, entry := range []string{"ftp://a", "https://", "https://a/path", "https://a?b", "https://a#b", "https://u:p@a", "https://a:0",
		"https://a:70000", "https://a:b", "https://*.a", "://a", "http://%41", "https://a:443:444", "http:// a"} {
		if h, is, err := sandbox.ReadHost(entry); !is || err == nil {
			t.Errorf("%s: %v, %v, no error", entry, h, is)
		}
	}
}
