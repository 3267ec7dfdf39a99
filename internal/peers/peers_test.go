//go:build peers

package peers

import "testing"

// TestPeers installs once what its parts need.
func TestPeers(t *testing.T) {
	b := newBench(t, "testdata", "ci")
	t.Run("clients", func(t *testing.T) { testClients(t, b) })
	t.Run("schemas", func(t *testing.T) { testSchemas(t, b) })
	t.Run("mock", func(t *testing.T) { testMock(t, b) })
}
