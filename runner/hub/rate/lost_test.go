package rate_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/hub/rate"
	"github.com/seed-5817661a/concur/runner/hub/server"
)

// A hub that was started again has no tokens, with or without its folder: the coordinator makes the stream again, and
// the requests of a waiting worker go on, within the limit.
func TestHubLosesTokens(t *testing.T) {
	for _, keeps := range []bool{true, false} {
		t.Run(fmt.Sprint("keeps its folder: ", keeps), func(t *testing.T) {
			t.Parallel()
			o := server.Options{Dir: t.TempDir(), Store: 8 << 20}
			var hub *server.Server
			var err error
			for range 100 { // the system does not give such a port to others while there is no hub
				o.Listen = fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000))
				if hub, err = server.Start(o); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			limits := rate.Limits{RPM: 1247} // 50 ms
			giving(t, hub, limits, valid)
			taker := rate.NewTaker(dialed(t, hub), run)
			take := func(n int) {
				t.Helper()
				for range n {
					if err := taker.Take(t.Context(), endpoint, 1); err != nil {
						t.Fatal(err)
					}
				}
			}
			take(3)
			hub.Close()
			if !keeps {
				o.Dir = filepath.Join(t.TempDir(), "new")
			}
			begin := time.Now() // nothing is given out while there is no hub
			if hub, err = server.Start(o); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(hub.Close)
			const requests = 10
			take(requests)
			if took, least := time.Since(begin), (requests-1)*limits.Spacing(); took < least {
				t.Errorf("%d requests after the restart took %v, want at least %v", requests, took, least)
			}
		})
	}
}

// No time of another machine is compared with one of this machine: neither that of a message nor that of a worker.
// Times between two events are measured here, with a clock that nobody sets.
func TestNoForeignClock(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	// What is shown to people is the difference of two times of the hub, and a number by seconds of this machine.
	shown := []string{"athub.go .TimeStamp", "athub.go .Created()", "state.go .Unix()"}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		// Timestamp is that of the metadata of a message, Created that of a key, ModTime that of an object.
		for _, source := range []string{".Timestamp", ".Created()", ".ModTime", ".TimeStamp", ".UnixNano()", ".Unix()",
			".Round(0)"} {
			if strings.Contains(string(raw), source) && !slices.Contains(shown, filepath.Base(name)+" "+source) {
				t.Errorf("%s uses %s, which is the time of another machine or loses the monotonic clock", name, source)
			}
		}
	}
}
