package playbook_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/runner/playbook"
)

func ids(bullets []playbook.Bullet) string {
	out := make([]string, len(bullets))
	for i, x := range bullets {
		out[i] = x.ID
	}
	return strings.Join(out, " ")
}

// wells is a bullet about the depths of wells.
func wells(id, category, text string, helpful int, tools ...string) playbook.Bullet {
	section := map[string]string{"str": playbook.Strategies, "pit": playbook.Pitfalls, "obs": playbook.Observations}[id[:3]]
	return playbook.Bullet{ID: id, Section: section, Category: category, Text: text, Tools: tools, Helpful: helpful}
}

// TestThreeLessonsAreShown: five wordings of a lesson take one place among the three. In every mode, of advice and the
// warning of it one is shown, the one with more behind it.
func TestThreeLessonsAreShown(t *testing.T) {
	var worded []playbook.Bullet
	for i, text := range []string{"For the depth of a well: ask the register.", "Depths of wells, all of them: the register has them.", "If a depth is wanted: register first.", "A well's depth stands in the register: use it.", "Wells: their depth is in the register."} {
		worded = append(worded, wells(fmt.Sprintf("str-%05d", i+1), "wells", text, 9, "register"))
	}
	other := wells("str-00008", "wells", "For the depth of a well: measure it.", 1, "measure")
	third := wells("obs-00009", "wells", "Depth of a well: in fathoms.", 0)
	for name, c := range map[string]struct {
		bullets    []playbook.Bullet
		found, all string
	}{
		"five wordings":                  {append(worded[:5:5], other, third), "str-00005 str-00008 obs-00009", "str-00001 str-00002 str-00003 str-00004 str-00005 str-00008 obs-00009"},
		"of other categories":            {[]playbook.Bullet{worded[0], wells("str-00002", "pits", "For the depth of a well: ask.", 8, "register")}, "str-00001 str-00002", "str-00001 str-00002"},
		"of an unknown category":         {[]playbook.Bullet{wells("str-00001", "", "For the depth of a well: ask.", 2, "register"), wells("str-00002", "", "For the depth of a tower: ask.", 1, "register")}, "str-00001", "str-00001 str-00002"},
		"unknown category, other words":  {[]playbook.Bullet{wells("str-00001", "", "For the depth of a well: ask.", 2, "register"), wells("str-00002", "", "Heights of towers, not their depth: read them.", 1, "register")}, "str-00001 str-00002", "str-00001 str-00002"},
		"without a sequence, other text": {[]playbook.Bullet{third, wells("obs-00002", "wells", "Depth comes in many units.", 0)}, "obs-00009 obs-00002", "obs-00009 obs-00002"},
		"a weak warning":                 {[]playbook.Bullet{worded[0], wells("pit-00007", "wells", "Depth of a well: `register` alone gave wrong answers.", 2)}, "str-00001", "str-00001"},
		"a strong warning":               {[]playbook.Bullet{worded[0], wells("pit-00007", "wells", "For the depth of a well: `register` alone gave wrong answers.", 40)}, "pit-00007", "pit-00007"},
		"a warning of other questions":   {[]playbook.Bullet{wells("str-00001", "", "For the depth of a well: ask.", 9, "register"), wells("pit-00007", "", "For heights of towers: not `register`, whatever the depth.", 2)}, "str-00001 pit-00007", "str-00001 pit-00007"},
		"a warning of a longer sequence": {[]playbook.Bullet{worded[0], wells("pit-00007", "wells", "Depth of a well: not `register`, then `measure`.", 2)}, "str-00001 pit-00007", "str-00001 pit-00007"},
		"a fact about the tool":          {[]playbook.Bullet{wells("pit-00007", "wells", "Depth of a well: `register` errs.", 9), wells("obs-00008", "wells", "Depth: `register` has it in fathoms.", 8)}, "pit-00007 obs-00008", "pit-00007 obs-00008"},
	} {
		t.Run(name, func(t *testing.T) {
			s := shelf(t, c.bullets...)
			choice := playbook.Choice{K: 3, Offered: []string{"register", "measure"}}
			const question = "What is the depth of the well of Keld?"
			found, err := s.Find(context.Background(), question, choice)
			if err != nil || ids(found) != c.found {
				t.Errorf("found %q, want %q, error %v", ids(found), c.found, err)
			}
			if all := ids(s.All(choice)); all != c.all {
				t.Errorf("all are %q, want %q", all, c.all)
			}
			if n := len(s.Random(question, choice)); n != len(found) {
				t.Errorf("%d bullets by chance, %d by fit", n, len(found))
			}
		})
	}
}

// TestShownLessonsDiffer: whatever the book, no bullet that is shown has the text and tools of another, and no warning
// is shown with the advice that it is of.
func TestShownLessonsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := playbook.New()
		for i := range rapid.IntRange(0, 12).Draw(t, "bullets") {
			category := rapid.SampledFrom([]string{"", "wells"}).Draw(t, "category")
			tool := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "tool")
			x := wells(fmt.Sprintf("str-%05d", i+1), category, "For wells: call it.", rapid.IntRange(0, 3).Draw(t, "helpful"), tool)
			if rapid.Bool().Draw(t, "warns") {
				x = wells(fmt.Sprintf("pit-%05d", i+1), category, "For wells: `"+tool+"` is wrong.", x.Helpful)
			}
			b.Bullets = append(b.Bullets, x)
		}
		s, err := playbook.NewShelf(context.Background(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		choice := playbook.Choice{K: 3, Offered: []string{"a", "b"}}
		found, err := s.Find(context.Background(), "Wells?", choice)
		if err != nil || len(found) > 2 || len(b.Bullets) > 0 && len(found) == 0 {
			t.Fatalf("found %v, error %v", ids(found), err)
		}
		about := map[string]bool{}
		for _, x := range found {
			tool := "a"
			if slices.Contains(x.Tools, "b") || strings.Contains(x.Text, "`b`") {
				tool = "b"
			}
			if about[tool] {
				t.Fatalf("%s is shown twice: %s", tool, ids(found))
			}
			about[tool] = true
		}
		both := &playbook.Book{Bullets: s.All(choice)}
		if left := both.Contradictions(); len(left) > 0 {
			t.Fatalf("all shows %v", left)
		}
	})
}

// TestContradictions lists the pairs, without those that are never shown.
func TestContradictions(t *testing.T) {
	b := playbook.New()
	b.Bullets = []playbook.Bullet{
		wells("str-00001", "wells", "For wells: call it.", 1, "a"),
		wells("pit-00002", "wells", "For wells: `a` alone gave wrong answers.", 1),
		wells("pit-00003", "wells", "For towers: `b` alone gave wrong answers.", 1),
		{ID: "pit-00004", Section: playbook.Pitfalls, Category: "wells", Text: "For wells: never `a`.", Harmful: 3},
	}
	if got := strings.Join(b.Contradictions(), ", "); got != "str-00001 and pit-00002" {
		t.Errorf("contradictions %q", got)
	}
	if got := playbook.New().Contradictions(); got != nil {
		t.Errorf("an empty book has %q", got)
	}
}

// TestSameLessonIsAddedOnce: another wording of a lesson changes counts and origins of the bullet. Its text is in the
// log alone, and Revert takes it back.
func TestSameLessonIsAddedOnce(t *testing.T) {
	first := playbook.Operation{Type: playbook.Add, Section: playbook.Strategies, Category: "wells", Text: "For the depth of a well: ask.", Tools: []string{"register"}, Helpful: 2, Rate: 0.5, Steps: 3}
	for name, c := range map[string]struct {
		change func(*playbook.Operation)
		want   int
	}{
		"another wording":    {func(o *playbook.Operation) { o.Text = "Depths stand there." }, 1},
		"another category":   {func(o *playbook.Operation) { o.Category = "pits" }, 2},
		"unknown category":   {func(o *playbook.Operation) { o.Category = "" }, 1},
		"unknown, other":     {func(o *playbook.Operation) { o.Category, o.Text = "", "Depths stand there." }, 2},
		"another section":    {func(o *playbook.Operation) { o.Section = playbook.Observations }, 2},
		"another sequence":   {func(o *playbook.Operation) { o.Tools = []string{"register", "measure"} }, 2},
		"without a sequence": {func(o *playbook.Operation) { o.Tools = nil }, 2},
	} {
		b := playbook.New()
		second := first
		c.change(&second)
		b.Apply([]playbook.Operation{first}, 0)
		before, _ := b.Bytes()
		changes, refused := b.Apply([]playbook.Operation{second}, 0)
		if len(refused) > 0 || len(b.Bullets) != c.want {
			t.Errorf("%s: %d bullets, want %d, refused %v", name, len(b.Bullets), c.want, refused)
		}
		if x := b.Bullets[0]; c.want == 1 && (x.Helpful != 4 || x.Text != first.Text) {
			t.Errorf("%s: the bullet is %+v", name, x)
		}
		b.Revert(changes)
		if after, _ := b.Bytes(); string(after) != string(before) {
			t.Errorf("%s: reverted to\n%s", name, after)
		}
	}
}

// TestTagsOfTheLastBullet: a tag without an id belongs to the bullet of the ADD before it, and to none if that was
// refused.
func TestTagsOfTheLastBullet(t *testing.T) {
	b := playbook.New()
	add := func(section, text string) playbook.Operation {
		return playbook.Operation{Type: playbook.Add, Section: section, Text: text}
	}
	tag := playbook.Operation{Type: playbook.Tag, Text: "another wording", Helpful: 1, Origin: []playbook.Origin{{Run: "r", Query: "q", Hash: "0"}}}
	changes, refused := b.Apply([]playbook.Operation{tag, add(playbook.Strategies, "One."), tag, tag, add("nowhere", "Two."), tag}, 0)
	if len(changes) != 3 || len(refused) != 3 {
		t.Fatalf("%d changes, refused %+v", len(changes), refused)
	}
	if x := b.Bullets[0]; x.Text != "One." || x.Helpful != 2 || len(x.Origin) != 1 {
		t.Errorf("the bullet is %+v", x)
	}
}

// TestStages: a draft is shown only where drafts are asked for, until it is moved.
func TestStages(t *testing.T) {
	b := playbook.New()
	b.Apply([]playbook.Operation{
		{Type: playbook.Add, Section: playbook.Strategies, Text: "For wells: call it.", Stage: playbook.Draft},
		{Type: playbook.Add, Section: playbook.Strategies, Text: "For towers: call another."},
	}, 0)
	drafts := b.Hash()
	shown := func(drafts bool) string {
		s, err := playbook.NewShelf(context.Background(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		return ids(s.All(playbook.Choice{Drafts: drafts}))
	}
	if got := shown(false) + "|" + shown(true); got != "str-00002|str-00001 str-00002" {
		t.Errorf("shown without and with drafts: %s", got)
	}
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := playbook.Parse("p.yaml", data); err != nil || back.Hash() != drafts {
		t.Errorf("read back with error %v", err)
	}
	changes, refused := b.Apply([]playbook.Operation{{Type: playbook.Move, ID: "str-00001"}, {Type: playbook.Move, ID: "str-00001", Stage: "prod"}}, 0)
	if got := shown(false); got != "str-00001 str-00002" || len(refused) != 1 || b.Hash() == drafts {
		t.Errorf("after the move: %s, refused %v", got, refused)
	}
	b.Revert(changes)
	if b.Hash() != drafts {
		t.Error("the move cannot be undone")
	}
}

// TestCategory: with a category, bullets of another are left out, and those of an unknown one are not.
func TestCategory(t *testing.T) {
	s := shelf(t, wells("str-00001", "wells", "a", 0), wells("str-00002", "towers", "b", 0), wells("str-00003", "", "c", 0))
	for category, want := range map[string]string{"": "str-00001 str-00002 str-00003", "wells": "str-00001 str-00003", "mills": "str-00003"} {
		if got := ids(s.All(playbook.Choice{Category: category})); got != want {
			t.Errorf("category %q: %s, want %s", category, got, want)
		}
	}
}

// TestOldBooksKeepTheirHash: a playbook of an earlier version is read as before, so that its agents keep the hash of its
// bullets, and is written with the same bytes.
func TestOldBooksKeepTheirHash(t *testing.T) {
	if got := full(t).Hash(); got != "sha256:159cecc3232b22c966beee0c1dbfa5cf3c67253ce7fde1ace9db1e004f0a3a7f" {
		t.Errorf("the hash is %s", got)
	}
}
