package learn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/model/asking/askingtest"
	"github.com/seed-5817661a/concur/runner/playbook"
	"github.com/seed-5817661a/concur/runner/playbook/learn"
)

// taught is the book after a scripted model replied these lessons, each as "section|text|tools", one reply a query.
func taught(t *testing.T, n, k int, lessons ...[]string) *playbook.Book {
	t.Helper()
	replies := make([]string, len(lessons))
	for i, all := range lessons {
		list := []map[string]any{}
		for _, l := range all {
			part := strings.Split(l, "|")
			list = append(list, map[string]any{"section": part[0], "text": part[1], "tools": strings.Fields(part[2])})
		}
		raw, err := json.Marshal(map[string]any{"lessons": list, "tags": []any{}})
		if err != nil {
			t.Fatal(err)
		}
		replies[i] = string(raw)
	}
	path := filepath.Join(t.TempDir(), "p.yaml")
	l, unread, err := learn.Contrast{Model: askingtest.Script(replies...), Journal: path + ".journal"}.
		Learn(t.Context(), made(t, n, k, nil), learn.Options{Labels: learn.Gold})
	if err != nil || unread != 0 {
		t.Fatalf("unread %d, error %v", unread, err)
	}
	if _, err := learn.AddLesson(t.Context(), path, l, 0, start); err != nil {
		t.Fatal(err)
	}
	return book(t, path)
}

// TestWordingsBecomeTags: one bullet for each category, sequence and section, with the counts that the traces give, as
// for the reflector sequence. The queries take turns: wells, towers.
func TestWordingsBecomeTags(t *testing.T) {
	const wells, towers = "right_wells", "right_towers"
	for name, c := range map[string]struct {
		replies [][]string
		want    []string // section, category, tools, helpful, harmful, rate, steps, origins, tags
	}{
		"one lesson in four wordings": {
			[][]string{{"strategies|Depths of wells: use it.|" + wells}, {"strategies|High towers: use it.|" + towers}, {"strategies|Where a well is deep: ask first.|" + wells}, {"strategies|A tower's height stands there: ask.|" + towers}},
			[]string{"strategies wells [right_wells] 2 0 1 3 2 1", "strategies towers [right_towers] 2 0 1 3 2 1"},
		},
		"one lesson of two categories": {
			[][]string{{"strategies|Places: use it.|" + wells}, {"strategies|Places: use it.|" + wells}, {}, {}},
			[]string{"strategies wells [right_wells] 2 0 1 3 1 0", "strategies towers [right_wells] 0 0 0 0 1 0"},
		},
		"a warning has no sequence": {
			[][]string{{"pitfalls|Depths: not right_wells.|"}, {}, {"pitfalls|Never ask `right_wells` for a well.|"}, {}},
			[]string{"pitfalls wells [] 0 2 1 0 2 1"},
		},
		"advice that failed": {
			[][]string{{"strategies|Depths: ask.|wrong"}, {}, {}, {}},
			[]string{"strategies wells [wrong] 0 2 0 0 1 0"},
		},
		"of two sections": {
			[][]string{{"strategies|Depths: ask.|" + wells, "observations|Depths: ask.|" + wells}, {}, {}, {}},
			[]string{"strategies wells [right_wells] 2 0 1 3 1 0", "observations wells [right_wells] 2 0 1 3 1 0"},
		},
		"a sequence that no trace has": {
			[][]string{{"strategies|Depths: ask both.|" + wells + " wrong"}, {}, {}, {}},
			[]string{"strategies wells [right_wells wrong] 0 0 0 0 1 0"},
		},
		"about no tool, of other words": {
			[][]string{{"observations|Depths are in fathoms.|"}, {}, {"observations|Old maps disagree.|"}, {}},
			[]string{"observations wells [] 0 0 0 0 1 0", "observations wells [] 0 0 0 0 1 0"},
		},
		"about no tool, of the same words": {
			[][]string{{"observations|Depths are in fathoms.|"}, {}, {"observations|Depths: are in fathoms!|"}, {}},
			[]string{"observations wells [] 0 0 0 0 2 0"},
		},
		"a section that is not there": {
			[][]string{{"hints|Depths: ask.|" + wells}, {}, {"hints|A well: ask.|" + wells}, {}},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, x := range taught(t, 2, 4, c.replies...).Bullets {
				got = append(got, fmt.Sprint(x.Section, " ", x.Category, " ", x.Tools, " ", x.Helpful, " ", x.Harmful, " ", x.Rate, " ", x.Steps, " ", len(x.Origin), " ", len(x.Tags)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTheUsualWordingIsShown: the text of a bullet is the most central wording, and names its tools in backquotes.
func TestTheUsualWordingIsShown(t *testing.T) {
	b := taught(t, 3, 2,
		[]string{"strategies|Odd things: do as you like.|right_wells"}, nil,
		[]string{"strategies|For the depth of a well: ask right_wells first.|right_wells"}, nil,
		[]string{"strategies|For the depth of wells: ask right_wells.|right_wells"}, nil)
	want := "For the depth of a well: ask `right_wells` first."
	if len(b.Bullets) != 1 || b.Bullets[0].Text != want {
		t.Errorf("bullets %+v", b.Bullets)
	}
}

// TestStagesAndHistory: drafts are moved, one by one or all; the log has the time and reason of each change, and undo
// takes the last one back.
func TestStagesAndHistory(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "p.yaml")
	if _, err := learn.MoveTo(ctx, path, playbook.Shown, nil, start); err == nil {
		t.Error("bullets of a file that is not there were moved")
	}
	l := sequence(t, made(t, 4, 6, nil), learn.Options{})
	l.Draft()
	if _, err := learn.AddLesson(ctx, path, l, 0, start); err != nil {
		t.Fatal(err)
	}
	if n := book(t, path).Stats().Drafts; n != 5 {
		t.Fatalf("%d drafts, want 5", n)
	}
	if _, err := learn.MoveTo(ctx, path, playbook.Shown, []string{"str-00001", "str-00099"}, start); err == nil || !strings.Contains(err.Error(), `there is no bullet "str-00099"`) {
		t.Errorf("an unknown bullet: %v", err)
	}
	later := start.Add(time.Hour)
	for _, c := range []struct {
		to     playbook.Stage
		ids    []string
		moved  int
		drafts int
	}{
		{playbook.Shown, []string{"str-00001"}, 1, 4},
		{playbook.Shown, []string{"str-00001"}, 0, 4},
		{playbook.Shown, nil, 4, 0},
		{playbook.Draft, []string{"pit-00002"}, 1, 1},
	} {
		b, err := learn.MoveTo(ctx, path, c.to, c.ids, later)
		moved := 0
		if b != nil {
			moved = len(b.Changes)
		}
		if n := book(t, path).Stats().Drafts; err != nil || moved != c.moved || n != c.drafts {
			t.Errorf("%v to %s: %d moved, %d drafts, error %v; want %+v", c.ids, c.to, moved, n, err, c)
		}
	}
	if _, err := learn.Undo(ctx, path); err != nil || book(t, path).Stats().Drafts != 0 {
		t.Errorf("undo: %v", err)
	}
	batches, current, err := learn.History(path)
	if err != nil || len(batches) != 3 || current != 3 {
		t.Fatalf("%d of %d batches, error %v", current, len(batches), err)
	}
	if b := batches[1]; b.Time != "2026-01-02T04:04:05Z" || b.Why != "stage shown" || b.Changes[0].Result != "str-00001" || b.Changes[0].Reason != "draft, now shown" {
		t.Errorf("the move is logged as %+v", b)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, "# by hand\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if batches, current, err := learn.History(path); err != nil || len(batches) != 3 || current != 0 {
		t.Errorf("after an edit by hand: %d of %d batches, error %v", current, len(batches), err)
	}
}
