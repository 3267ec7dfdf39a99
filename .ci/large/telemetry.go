//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	rounds  = 5                     // of runs without and with telemetry, in turns
	most    = 2000                  // queries of these runs
	latency = 20 * time.Millisecond // of the model
)

// usage is what a run took.
type usage struct{ wall, cpu, peak float64 } // seconds, seconds, MB

// telemetry compares runs without telemetry with runs that send their spans to a collector on loopback. Their model is
// an endpoint on loopback that answers after some milliseconds.
func (l *large) telemetry() error {
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(latency)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop",`+
			`"message":{"role":"assistant","content":"The sum is 7, as the question asks for it. Answer: 7"}}],`+
			`"usage":{"prompt_tokens":90,"completion_tokens":12}}`)
	}))
	defer endpoint.Close()
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
	}))
	defer collector.Close()
	queries := min(l.queries, most)
	kinds := []struct{ name, telemetry string }{
		{"no telemetry", "off"}, {"telemetry", "{otlp: '" + collector.URL + "'}"},
		{"telemetry with content", "{otlp: '" + collector.URL + "', content: on}"},
	}
	took := make([][]usage, len(kinds))
	for range rounds {
		for i, kind := range kinds {
			file := filepath.Join(l.dir, "telemetry.yaml")
			text := fmt.Sprintf("model: mine:m\nk: 3\nagent: {tools: [calc]}\nconsensus: {stages: [exact, majority]}\n"+
				"limits: {concurrency: 32}\nproviders: {mine: {kind: openai, base_url: '%s/v1', auth: none}}\ntelemetry: %s\n",
				endpoint.URL, kind.telemetry)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return err
			}
			u, err := l.one(file, queries)
			if err != nil {
				return err
			}
			took[i] = append(took[i], u)
		}
	}
	exchanges := float64(3 * queries)
	before := median(took[0])
	for i, kind := range kinds {
		u := median(took[i])
		fmt.Fprintf(l.out, "%-32s %8.2f s CPU  %7.1f MB at most  %6.2f s; wall %+.1f %%, CPU of an exchange %+.3f ms\n",
			kind.name, u.cpu, u.peak, u.wall, 100*(u.wall/before.wall-1), 1000*(u.cpu-before.cpu)/exchanges)
	}
	load, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		fmt.Fprintf(l.out, "medians of %d runs of %d exchanges each, a model that answers after %v; load %s\n", rounds,
			3*queries, latency, strings.Join(strings.Fields(string(load))[:3], " "))
	}
	return nil
}

// one runs the first queries of the dataset.
func (l *large) one(file string, queries int) (usage, error) {
	runs, err := os.MkdirTemp(l.dir, "telemetry-")
	if err != nil {
		return usage{}, err
	}
	defer os.RemoveAll(runs)
	cmd := exec.Command(l.binary, "run", l.data, "--limit", fmt.Sprint(queries), "--config", file,
		"--runs-dir", runs, "--quiet", "--yes")
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return usage{}, fmt.Errorf("concur run: %w\n%s", err, out)
	}
	used := cmd.ProcessState
	return usage{time.Since(start).Seconds(), (used.UserTime() + used.SystemTime()).Seconds(),
		float64(used.SysUsage().(*syscall.Rusage).Maxrss) * 1024 / 1e6}, nil
}

// median returns the median of each figure.
func median(all []usage) usage {
	of := func(figure func(usage) float64) float64 {
		var values []float64
		for _, u := range all {
			values = append(values, figure(u))
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return usage{of(func(u usage) float64 { return u.wall }), of(func(u usage) float64 { return u.cpu }),
		of(func(u usage) float64 { return u.peak })}
}
