//go:build soak && !windows

package plan_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/serve"
)

// The test in which every part is killed, with ten seeds.
func TestSoakKills(t *testing.T) {
	for i := range int64(10) {
		t.Run(fmt.Sprint("seed ", seed+i), func(t *testing.T) { killEverything(t, seed+i) })
	}
}

// The coordinator is stopped for 8 s.
func TestSoakStoppedCoordinator(t *testing.T) {
	stoppedCoordinator(t, 8*time.Second)
}

// Four workers send at most 300 requests in any minute: with clocks that are 20 minutes apart, workers that are killed
// while they have or await the right to send one, and a coordinator that changes every 7 s.
func TestSoakLimit(t *testing.T) {
	const (
		rpm      = 300
		lasts    = 150 * time.Second
		window   = time.Minute
		newCoord = 7 * time.Second
		newHand  = 5 * time.Second
	)
	program := withClock(t)
	sent := &requests{}
	conf := sent.serve(t)
	conf.K, conf.Limits.RPM = 64, rpm
	k := newKilled(t, 64, draftOf(t, conf))
	clocks := []string{"0", "-1200", "1200", "600"}
	start := func() {
		clock := clocks[k.started%len(clocks)]
		k.startWorker(func(cmd *exec.Cmd) {
			cmd.Path, cmd.Env = program, append(cmd.Env, clockVariable+"="+clock)
		})
	}
	for range 4 {
		start()
	}
	k.startCoordinator()
	waited(t, "the first request is sent", func() bool { return len(sent.all()) > 0 })
	end, coordAt, handAt := time.Now().Add(lasts), time.Now().Add(newCoord), time.Now().Add(newHand)
	changes := 0
	for time.Now().Before(end) {
		switch now := time.Now(); {
		case k.coord.hasEnded():
			t.Fatal("the coordinator has ended: ", k.coord.err)
		case now.After(coordAt):
			k.coord.kill()
			k.startCoordinator()
			changes++
			coordAt = now.Add(newCoord)
		case now.After(handAt):
			k.workers[0].kill()
			k.workers = k.workers[1:]
			start()
			handAt = now.Add(newHand)
		}
		time.Sleep(10 * time.Millisecond)
	}
	times := sent.all()
	most, first := 0, 0
	for i, at := range times {
		for at.Sub(times[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	t.Logf("%d requests in %v, at most %d in a minute; %d changes of the coordinator, %d workers", len(times), lasts, most,
		changes, k.started)
	if most > rpm {
		t.Errorf("%d requests in a minute", most)
	}
	if len(times) < rpm/2 {
		t.Error("hardly any requests: the test says nothing")
	}
}

// requests are the times of requests to an endpoint, by its clock.
type requests struct {
	mu    sync.Mutex
	times []time.Time
}

func (r *requests) all() []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]time.Time{}, r.times...)
}

// serve starts an endpoint, and returns a configuration that uses it.
func (r *requests) serve(t *testing.T) config.Configuration {
	t.Helper()
	m, err := assembler().Model("offline:reader", nil)
	if err != nil {
		t.Fatal(err)
	}
	answering := serve.Handler(m, "reader")
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		r.times = append(r.times, time.Now())
		r.mu.Unlock()
		answering.ServeHTTP(w, q)
	}))
	t.Cleanup(endpoint.Close)
	return named(config.DefaultName, func(c *config.Configuration) {
		c.Providers = map[string]endpoints.Endpoint{
			"mine": {Kind: endpoints.OpenAI, BaseURL: endpoint.URL + "/v1", Auth: endpoints.Auth{None: true}}}
		c.Model, c.Verifier.Model = "mine:reader", "offline:reader"
	})
}

// clockVariable is the number of seconds by which the clock of a program of withClock is wrong.
const clockVariable = "CONCUR_TEST_CLOCK"

// withClock builds the program of this test with a clock that can be wrong: Go reads the time without a library, so it
// is changed in the package time.
func withClock(t *testing.T) (program string) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	const reads = "\tsec, nsec, mono := runtimeNow()\n"
	before, after, found := strings.Cut(string(source), "func Now() Time {\n"+reads)
	if !found {
		t.Skip("this version of Go reads the time in another way")
	}
	dir := t.TempDir()
	changed, wrong := filepath.Join(dir, "time.go"), filepath.Join(dir, "wrong.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		original: changed, filepath.Join(filepath.Dir(original), "wrong.go"): wrong}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{
		changed: before + "func Now() Time {\n" + reads + "\tsec += wrong\n" + after,
		wrong: `package time

import "syscall"

var wrong = func() (seconds int64) {
	text, _ := syscall.Getenv("` + clockVariable + `")
	negative := len(text) > 0 && text[0] == '-'
	for _, digit := range []byte(text) {
		if digit != '-' {
			seconds = 10*seconds + int64(digit-'0')
		}
	}
	if negative {
		return -seconds
	}
	return seconds
}()
`,
		filepath.Join(dir, "overlay.json"): string(overlay),
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program = filepath.Join(dir, "program")
	build := exec.Command("go", "test", "-c", "-vet=off", "-tags", "soak", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build a program with another clock: %v\n%s", err, out)
	}
	for _, seconds := range []string{"-1200", "1200"} {
		show := exec.Command(program)
		show.Env = append(os.Environ(), roleVariable+"=clock", clockVariable+"="+seconds)
		out, err := show.Output()
		shown, parseErr := time.Parse(time.RFC3339, strings.TrimSpace(string(out)))
		if err != nil || parseErr != nil {
			t.Fatal(err, parseErr)
		}
		if off := time.Until(shown).Abs(); off < 19*time.Minute || off > 21*time.Minute {
			t.Fatalf("the clock of the program is %v off", off)
		}
	}
	return program
}
