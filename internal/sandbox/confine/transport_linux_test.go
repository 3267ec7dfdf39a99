package confine

import (
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

// A name reaches public addresses only, whatever its server of names says; an address that the user wrote is reached.
func TestTransport(t *testing.T) {
	g := newGateway(nil, "")
	for address, any := range map[string]bool{"api.example.org:443": false, "10.0.0.7:80": true, "[fd00::1]:80": true, "localhost:1": true,
		"localhost.example.org:443": false, "127.0.0.1.example.org:443": false} {
		if got := g.transport(sandbox.Host{Address: address}) == g.any; got != any {
			t.Errorf("%s: any address: %v", address, got)
		}
	}
}
