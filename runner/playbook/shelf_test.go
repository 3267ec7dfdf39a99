package playbook_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/playbook"
)

func shelf(t testing.TB, bullets ...playbook.Bullet) *playbook.Shelf {
	t.Helper()
	b := playbook.New()
	b.Bullets = bullets
	s, err := playbook.NewShelf(context.Background(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFind(t *testing.T) {
	s := shelf(t,
		playbook.Bullet{ID: "str-00001", Section: playbook.Strategies, Text: "Depths of wells: ask the register.", Tools: []string{"register"}, Helpful: 1},
		playbook.Bullet{ID: "str-00002", Section: playbook.Strategies, Text: "Depths of wells: ask the register.", Tools: []string{"register"}, Helpful: 5},
		playbook.Bullet{ID: "pit-00003", Section: playbook.Pitfalls, Text: "Depths of wells are in fathoms.", Helpful: 0, Harmful: 3},
		playbook.Bullet{ID: "obs-00004", Section: playbook.Observations, Text: "Wells have depths.", Helpful: 2},
		playbook.Bullet{ID: "obs-00005", Section: playbook.Observations, Text: "Depths of wells: parked.", State: playbook.Quarantined},
		playbook.Bullet{ID: "obs-00006", Section: playbook.Observations, Text: "Towers: tall."},
	)
	for name, c := range map[string]struct {
		choice playbook.Choice
		want   string
	}{
		"by counts":     {playbook.Choice{K: 9, Offered: []string{"register"}}, "str-00002 obs-00004"},
		"k":             {playbook.Choice{K: 1, Offered: []string{"register"}}, "str-00002"},
		"tool gone":     {playbook.Choice{K: 9}, "obs-00004"},
		"section":       {playbook.Choice{K: 9, Section: playbook.Observations}, "obs-00004"},
		"with sequence": {playbook.Choice{K: 9, WithTools: true, Offered: []string{"register"}}, "str-00002"},
	} {
		for range 2 { // first from the index, then from the cache
			found, err := s.Find(context.Background(), "How deep are wells? Their depths?", c.choice)
			var ids []string
			for _, x := range found {
				ids = append(ids, x.ID)
			}
			if got := strings.Join(ids, " "); err != nil || got != c.want {
				t.Errorf("%s: found %q, want %q, error %v", name, got, c.want, err)
			}
		}
	}
	if f := s.Figures(); f.Searches != 5 || f.Hits != 5 {
		t.Errorf("figures %+v", f)
	}
}

// The placebo shows bullets that the mode frozen could show, drawn only by the question.
func TestRandom(t *testing.T) {
	var bullets []playbook.Bullet
	for i := range 30 {
		bullets = append(bullets, playbook.Bullet{ID: fmt.Sprintf("str-%05d", i), Section: playbook.Strategies, Text: fmt.Sprintf("Advice %d", i), Tools: []string{[]string{"a", "b"}[i%2]}})
	}
	s := shelf(t, bullets...)
	ids := func(question string) (out []string) {
		for _, x := range s.Random(question, playbook.Choice{K: 3, Offered: []string{"a"}}) {
			out = append(out, x.ID)
			if x.Tools[0] != "a" {
				t.Errorf("%s names a tool that is not offered", x.ID)
			}
		}
		return out
	}
	if one, again := ids("q"), ids("q"); len(one) != 3 || !slices.Equal(one, again) {
		t.Errorf("drew %v, then %v", one, again)
	}
	drawn := map[string]bool{}
	for i := range 20 {
		drawn[strings.Join(ids(fmt.Sprint("q", i)), " ")] = true
	}
	if len(drawn) < 10 {
		t.Errorf("20 questions gave %d different draws", len(drawn))
	}
}

func TestPrompt(t *testing.T) {
	text, tokens := playbook.Prompt([]playbook.Bullet{{ID: "str-00001", Text: "Two\nlines.", Tools: []string{"a", "b"}, Helpful: 3}})
	if !strings.Contains(text, "\n[str-00001] Two lines. (tools: a → b)\n") || !strings.Contains(text, "not evidence") || tokens != (len(text)+3)/4 {
		t.Errorf("%d tokens:\n%s", tokens, text)
	}
	if text, tokens := playbook.Prompt(nil); text != "" || tokens != 0 {
		t.Errorf("no bullets give %q", text)
	}
}

// BenchmarkFind searches books of these sizes without the memo, and BenchmarkMemo with it.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{2500, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := large(b, n)
			i := 0
			for b.Loop() {
				i++
				if _, err := s.Find(context.Background(), fmt.Sprintf("How deep is the well of place%d, and who dug it in year%d?", i, i%300), playbook.Choice{K: 3}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMemo(b *testing.B) {
	s := large(b, 2500)
	for b.Loop() {
		if _, err := s.Find(context.Background(), "How deep is the well of Keld?", playbook.Choice{K: 3, Offered: []string{"a", "b", "c"}}); err != nil {
			b.Fatal(err)
		}
	}
}

// large returns a shelf of n bullets of about 32 tokens.
func large(b *testing.B, n int) *playbook.Shelf {
	bullets := make([]playbook.Bullet, n)
	for i := range bullets {
		bullets[i] = playbook.Bullet{
			ID: fmt.Sprintf("str-%05d", i), Section: playbook.Strategies, Helpful: i % 7,
			Text: fmt.Sprintf("For questions about the well of place%d and the people who dug it in year%d: call tool%d before tool%d, and read the depth from the last row of the table", i%900, i%300, i%40, i%17),
		}
	}
	return shelf(b, bullets...)
}
