package runner_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
)

func ids(t *testing.T, s runner.Selection) []string {
	t.Helper()
	data, of, err := s.Open("gold29")
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	if of.Queries != data.Len() || of.Of != 29 || of.Source != "gold29" {
		t.Errorf("described as %+v", of)
	}
	return slices.Collect(data.IDs())
}

// A larger sample contains a smaller one with the same seed, another seed draws other queries, and a sample
// can be selected again by the names of its queries.
func TestSample(t *testing.T) {
	small, large := ids(t, runner.Selection{Sample: 5, Seed: 3}), ids(t, runner.Selection{Sample: 9, Seed: 3})
	for _, id := range small {
		if !slices.Contains(large, id) {
			t.Errorf("%s is in %v, not in %v", id, small, large)
		}
	}
	if other := ids(t, runner.Selection{Sample: 5, Seed: 4}); len(other) != 5 || slices.Equal(small, other) {
		t.Errorf("another seed draws %v", other)
	}
	_, of, err := runner.Selection{Sample: 5, Seed: 3}.Open("gold29")
	if err != nil || !slices.Equal(ids(t, runner.Selection{Part: of.Filter}), small) {
		t.Errorf("%v, %v", of.Filter, err)
	}
	if _, _, err := (runner.Selection{Sample: 30}).Open("gold29"); err == nil || !strings.Contains(err.Error(), "there are 29 queries") {
		t.Errorf("a sample of 30: %v", err)
	}
}

func draft(t *testing.T, seed *int64, models ...string) runner.Draft {
	t.Helper()
	var confs []config.Configuration
	for _, m := range models {
		c := config.New()
		c.Name, c.Model = m, m
		confs = append(confs, c)
	}
	data, of, err := runner.Selection{Part: datasets.Part{Limit: 2}}.Open("gold29")
	if err != nil {
		t.Fatal(err)
	}
	d, err := runner.NewDraft(data, of, confs, seed, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A seed is drawn if a model is not offline and no seed is given.
func TestSeedOfADraft(t *testing.T) {
	given := int64(7)
	for _, c := range []struct {
		seed   *int64
		models []string
		drawn  bool
		want   int64 // 0 for any seed
	}{
		{nil, []string{"offline:reader"}, false, 1}, {nil, []string{"offline:reader", "openai:m"}, true, 0}, {&given, []string{"openai:m"}, false, 7},
	} {
		d := draft(t, c.seed, c.models...)
		if d.SeedDrawn != c.drawn || c.want != 0 && d.Manifest.Seed != c.want || d.Manifest.Seed < 0 {
			t.Errorf("%v: seed %d, drawn %t", c.models, d.Manifest.Seed, d.SeedDrawn)
		}
		if !strings.HasPrefix(d.Manifest.Run, "20260102T030405-gold29-") {
			t.Errorf("named %s", d.Manifest.Run)
		}
	}
}

// A resumed run keeps its settings; a replay is a new run.
func TestRetake(t *testing.T) {
	d := draft(t, nil, "offline:reader")
	m := d.Manifest
	m.Versions = map[string]string{"prompt": "react/v1", "concur": "1"}
	versions := func(...config.Configuration) map[string]string {
		return map[string]string{"prompt": "react/v1", "concur": "2"}
	}
	replay := func(r runner.Retake) runner.Retake { // a replay's manifest needs no seal
		r.Replay, r.Versions = true, versions
		return r
	}
	other := d.First()
	other.K = 5
	limited := d.First()
	limited.Limits.RPM = 9
	seed := int64(2)
	for name, c := range map[string]struct {
		retake runner.Retake
		want   string // a part of the error; "" for none
	}{
		"as it was":     {runner.Retake{Settings: d.First()}, ""},
		"other limits":  {runner.Retake{Settings: limited}, ""},
		"another k":     {runner.Retake{Settings: other}, "k: 3, now 5"},
		"another seed":  {runner.Retake{Settings: d.First(), Seed: &seed}, "seed: 1, now 2"},
		"other queries": {runner.Retake{Settings: d.First(), Selection: &runner.Selection{Sample: 3}}, "these arguments and flags select other queries"},
	} {
		got, err := replay(c.retake).Draft(m)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err == nil && (got.Manifest.ReplayOf != m.Run || got.Manifest.Run == m.Run || got.First().Limits.RPM != c.retake.Settings.Limits.RPM) {
			t.Errorf("%s: %+v", name, got.Manifest)
		}
	}
	if _, err := (runner.Retake{Settings: d.First(), Versions: versions}).Draft(m); err == nil || !strings.HasPrefix(err.Error(), "resume run "+m.Run+": ") {
		t.Errorf("a manifest without a seal: %v", err)
	}
}

// A replay sends the requests of its recording, so it has the recording's day; so has a replay of a replay.
func TestReplayKeepsTheDay(t *testing.T) {
	d := draft(t, nil, "offline:reader")
	m := d.Manifest
	m.Start = time.Date(2026, 2, 28, 23, 59, 0, 0, time.UTC)
	want := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	for i, now := range []time.Time{m.Start.Add(time.Hour), m.Start.AddDate(1, 0, 0), m.Start} {
		again, err := runner.Retake{Replay: true, Settings: d.First(), Now: now}.Draft(m)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Plan().Today; !got.Equal(want) {
			t.Errorf("replay %d has the day %s, want %s", i, got, want)
		}
		m = again.Manifest
	}
}
