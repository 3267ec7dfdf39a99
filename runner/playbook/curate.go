package playbook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind is the kind of an operation.
type Kind string

// The operations of the curator.
const (
	Add    Kind = "ADD"    // adds a bullet; if one has the same lesson, its counts increase instead
	Update Kind = "UPDATE" // changes text, section or tools of a bullet
	Merge  Kind = "MERGE"  // joins bullets into the first: counts are added up, origins united
	Delete Kind = "DELETE" // removes a bullet
	Tag    Kind = "TAG"    // adds to counts and origins of a bullet; without an id, of the one that the last ADD gave
	Move   Kind = "STAGE"  // moves a bullet to the stage Operation.Stage
)

// Operation is a change of a playbook.
type Operation struct {
	Type    Kind     `json:"type"`
	ID      string   `json:"id,omitempty"`  // for UPDATE, DELETE and TAG
	IDs     []string `json:"ids,omitempty"` // for MERGE
	Section string   `json:"section,omitempty"`
	// Category of ADD. Text of TAG is another wording of the bullet, see Bullet.Tags.
	Category string   `json:"category,omitempty"`
	Text     string   `json:"text,omitempty"`
	Tools    []string `json:"tools,omitempty"`
	Stage    Stage    `json:"stage,omitempty"`   // of ADD and STAGE
	Helpful  int      `json:"helpful,omitempty"` // counts that ADD and TAG add
	Harmful  int      `json:"harmful,omitempty"`
	Rate     float64  `json:"rate,omitempty"`
	Steps    int      `json:"steps,omitempty"`
	Origin   []Origin `json:"origin,omitempty"`
	Created  string   `json:"created,omitempty"`
	Reason   string   `json:"reason"` // for the log
}

// Change is an applied operation, with the data to undo it.
type Change struct {
	Operation
	Result string   `json:"result"` // id of the bullet that was created or changed
	Before []Bullet `json:"before"` // the changed or removed bullets, as they were before
	At     []int    `json:"at"`     // their positions, in order
	Made   bool     `json:"made"`   // the operation created the bullet
	Next   int      `json:"next"`   // Book.Next before the change
}

// Refusal is an operation that was not applied, and why.
type Refusal struct {
	Operation
	Why string `json:"why"`
}

// Apply applies operations in order. It refuses an invalid operation as a whole. Then it removes the bullets
// with the lowest scores until the book fits the budget, in tokens; 0 means no budget. The result depends
// only on the book, the operations and the budget.
func (b *Book) Apply(operations []Operation, budget int) (changes []Change, refused []Refusal) {
	added := "" // the bullet of the last ADD
	for _, o := range operations {
		if o.Type == Tag && o.ID == "" {
			o.ID = added
		}
		c, why := b.apply(o)
		if o.Type == Add {
			added = ""
			if why == "" {
				added = c.Result
			}
		}
		if why != "" {
			refused = append(refused, Refusal{o, why})
			continue
		}
		changes = append(changes, c)
	}
	for _, id := range b.overBudget(budget) {
		c, _ := b.apply(Operation{Type: Delete, ID: id, Reason: fmt.Sprintf("over the budget of %d tokens", budget)})
		changes = append(changes, c)
	}
	return changes, refused
}

// apply applies one operation. why is the reason if it cannot be applied.
func (b *Book) apply(o Operation) (Change, string) {
	c := Change{Operation: o, Result: o.ID, Next: b.Next}
	if o.Helpful < 0 || o.Harmful < 0 {
		return c, "counts must be 0 or more"
	}
	ids := o.IDs
	if o.Type != Merge && o.Type != Add {
		ids = []string{o.ID}
	}
	var at []int
	for i, id := range ids {
		if id == "" && o.Type == Tag {
			return c, "it has no id, and no bullet was added before it"
		}
		place := b.find(id)
		if place < 0 {
			return c, fmt.Sprintf("there is no bullet %q", id)
		}
		if slices.Contains(ids[:i], id) {
			return c, fmt.Sprintf("the bullet %q is named twice", id)
		}
		at = append(at, place)
	}
	if o.Text != "" || o.Type == Add {
		if problem := textProblem(o.Text); problem != "" {
			return c, "its text " + problem
		}
	}
	if o.Section != "" && !slices.Contains(b.Sections, o.Section) {
		return c, fmt.Sprintf("there is no section %q: %s", o.Section, strings.Join(b.Sections, ", "))
	}
	switch o.Type {
	case Add:
		return b.add(c)
	case Update:
		if o.Text == "" && o.Section == "" && o.Tools == nil {
			return c, "it has neither text nor section nor tools"
		}
	case Merge:
		if len(ids) < 2 {
			return c, "it needs at least two ids"
		}
		c.Result = ids[0]
	case Move:
		if o.Stage != Shown && o.Stage != Draft {
			return c, fmt.Sprintf("there is no stage %q: use %s or %s", o.Stage, Draft, shownName)
		}
	case Delete, Tag:
	default:
		return c, fmt.Sprintf("there is no operation %q: use ADD, UPDATE, MERGE, DELETE, TAG or STAGE", o.Type)
	}
	c.At = slices.Sorted(slices.Values(at))
	for _, i := range c.At {
		c.Before = append(c.Before, b.Bullets[i])
	}
	b.change(o, at)
	return c, ""
}

// change applies an operation on existing bullets.
func (b *Book) change(o Operation, at []int) {
	x := b.Bullets[at[0]]
	switch o.Type {
	case Tag:
		x.add(o.Helpful, o.Harmful, o.Origin)
		x.tag(o.Text)
		o.Text = "" // it does not replace the bullet's
	case Move:
		x.Stage = o.Stage
	case Merge:
		for _, i := range at[1:] {
			x.add(b.Bullets[i].Helpful, b.Bullets[i].Harmful, b.Bullets[i].Origin)
			x.tag(append([]string{b.Bullets[i].Text}, b.Bullets[i].Tags...)...)
		}
	}
	x.Text, x.Section = cmp.Or(o.Text, x.Text), cmp.Or(o.Section, x.Section)
	if o.Tools != nil {
		x.Tools = o.Tools
	}
	x.add(0, 0, o.Origin)
	b.Bullets[at[0]] = x
	leave := at[1:]
	if o.Type == Delete {
		leave = at
	}
	for _, i := range slices.Backward(slices.Sorted(slices.Values(leave))) {
		b.Bullets = slices.Delete(b.Bullets, i, i+1)
	}
}

// add creates a bullet. If a bullet with the same lesson exists, add adds the counts to it instead.
func (b *Book) add(c Change) (Change, string) {
	o := c.Operation
	if o.Section == "" {
		return c, "it names no section"
	}
	if o.Stage != Shown && o.Stage != Draft {
		return c, fmt.Sprintf("there is no stage %q: use %s or %s", o.Stage, Draft, shownName)
	}
	if len(b.Bullets) >= MaxBullets {
		return c, fmt.Sprintf("the playbook has %d bullets already", MaxBullets)
	}
	if at := b.sameLesson(newLesson(o.Section, o.Category, o.Text, o.Tools)); at >= 0 {
		x := &b.Bullets[at]
		c.Result, c.Before, c.At = x.ID, []Bullet{*x}, []int{at}
		x.Category = cmp.Or(x.Category, o.Category)
		x.tag(o.Text)
		x.add(o.Helpful, o.Harmful, o.Origin)
		return c, ""
	}
	c.Result, c.Made = b.newID(o.Section), true
	b.Bullets = append(b.Bullets, Bullet{
		ID: c.Result, Section: o.Section, Category: o.Category, Text: o.Text, Tools: o.Tools, Helpful: o.Helpful,
		Harmful: o.Harmful, Rate: o.Rate, Steps: o.Steps, Origin: o.Origin, Created: o.Created, Stage: o.Stage,
	})
	return c, ""
}

// add adds counts and new origins. It does not change copies of the bullet.
func (x *Bullet) add(helpful, harmful int, origin []Origin) {
	x.Helpful, x.Harmful, x.Origin = x.Helpful+helpful, x.Harmful+harmful, slices.Clone(x.Origin)
	for _, o := range origin {
		if !slices.Contains(x.Origin, o) {
			x.Origin = append(x.Origin, o)
		}
	}
}

// tag adds wordings that differ from the text and from each other, up to MaxTags. Copies of the bullet are not changed.
func (x *Bullet) tag(wordings ...string) {
	x.Tags = slices.Clone(x.Tags)
	for _, w := range wordings {
		same := func(have string) bool { return countsOf(have).similarity(countsOf(w)) >= sameText }
		if w != "" && len(x.Tags) < MaxTags && !same(x.Text) && !slices.ContainsFunc(x.Tags, same) {
			x.Tags = append(x.Tags, w)
		}
	}
}

// overBudget returns the bullets that must be removed to keep the budget. These are the bullets with the lowest
// scores. If scores are equal, newer bullets are removed first.
func (b *Book) overBudget(budget int) []string {
	total := 0
	for _, x := range b.Bullets {
		total += x.Tokens()
	}
	if budget <= 0 || total <= budget {
		return nil
	}
	order := slices.SortedStableFunc(slices.Values(b.Bullets), func(x, y Bullet) int {
		return cmp.Or(cmp.Compare(x.Score(), y.Score()), cmp.Compare(number(y.ID), number(x.ID)))
	})
	var out []string
	for _, x := range order {
		if total <= budget {
			break
		}
		total -= x.Tokens()
		out = append(out, x.ID)
	}
	return out
}

// Revert undoes changes of Apply, the last one first.
func (b *Book) Revert(changes []Change) {
	for _, c := range slices.Backward(changes) {
		b.Bullets = slices.DeleteFunc(b.Bullets, func(x Bullet) bool {
			return c.Made && x.ID == c.Result ||
				slices.ContainsFunc(c.Before, func(y Bullet) bool { return x.ID == y.ID })
		})
		for i, at := range c.At {
			b.Bullets = slices.Insert(b.Bullets, min(at, len(b.Bullets)), c.Before[i])
		}
		b.Next = c.Next
	}
}
