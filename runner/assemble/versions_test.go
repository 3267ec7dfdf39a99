package assemble

import (
	"testing"

	"github.com/seed-5817661a/concur/tool/api/catalog"
)

// TestVersionsFollowFiles checks that the versions of serper and baidu, which are part of the agent hash, change with the
// files that they stand for. If a file changes so that the same replies give other documents, change the version; write
// the new hash here in any case.
func TestVersionsFollowFiles(t *testing.T) {
	for name, want := range map[string]struct{ version, is, hash string }{
		"google_search":  {serperVersion, "serper/v2", "e2d1d5c3b6f459d9"},
		"google_serpapi": {serperVersion, "serper/v2", "7326751e1ca60ecd"},
		"baidu_search":   {baiduVersion, "baidu/v1", "60249f76ca659a0f"},
	} {
		if hash := digest(catalog.Text(name))[:16]; want.version != want.is || hash != want.hash {
			t.Errorf("%s: version %s with file %s, recorded %s with %s", name, want.version, hash, want.is, want.hash)
		}
	}
}
