package playbook

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Schema names the format of the file.
const Schema = "concur/playbook/v1"

// Bounds of a file, which limit the memory that it takes.
const (
	MaxBullets = 20_000
	MaxText    = 4 << 10 // bytes of a bullet's text, and of each tag
	MaxTags    = 4       // of a bullet; further wordings are only in the log
	maxFile    = 32 << 20
)

// Book is a playbook: bullets by section, and the runs from which it learned.
type Book struct {
	Schema   string    `yaml:"schema"`
	Sections []string  `yaml:"sections,flow"` // in the order in which prompts show them
	Next     int       `yaml:"next"`          // number of the next bullet
	Learned  []Learned `yaml:"learned,omitempty"`
	Bullets  []Bullet  `yaml:"bullets"`
}

// Bullet is one piece of advice.
type Bullet struct {
	ID      string `yaml:"id"` // three letters of the section, a hyphen, five digits: str-00001
	Section string `yaml:"section"`
	// Category is the category of the queries from which the bullet was learned. It is "" if it is unknown, or
	// if these queries have no category.
	Category string `yaml:"category,omitempty"`
	Text     string `yaml:"text"`
	// Tags are other wordings of the text. Questions are compared with them, but agents see only the text.
	Tags    []string `yaml:"tags,omitempty"`
	Tools   []string `yaml:"tools,flow,omitempty"` // the advised sequence of calls; may be empty
	Helpful int      `yaml:"helpful"`              // right traces that were shown the bullet
	Harmful int      `yaml:"harmful"`              // wrong traces that were shown the bullet
	Rate    float64  `yaml:"rate,omitempty"`       // share of right traces when the bullet was learned, 0 to 1
	Steps   int      `yaml:"steps,omitempty"`      // fewest steps of a right trace; 0 if unknown
	Origin  []Origin `yaml:"origin,omitempty"`
	// Created is the start of the run that the bullet was learned from, in the format of RFC 3339; may be "".
	Created string `yaml:"created,omitempty"`
	State   State  `yaml:"state,omitempty"`
	Stage   Stage  `yaml:"stage,omitempty"`
}

// Stage says how far a bullet has come. A person moves it on; ace-playbook has stages for the same purpose.
type Stage string

// The stages.
const (
	Shown Stage = ""      // or "shown": agents may see the bullet
	Draft Stage = "draft" // only agents with playbook.stage: draft see it
)

// shownName writes Shown for people, in files and in commands.
const shownName = "shown"

// ParseStage reads draft or shown.
func ParseStage(s string) (Stage, error) {
	switch s {
	case shownName:
		return Shown, nil
	case string(Draft):
		return Draft, nil
	}
	return Shown, fmt.Errorf("there is no stage %q: use %s or %s", s, Draft, shownName)
}

// String returns draft or shown.
func (s Stage) String() string { return cmp.Or(string(s), shownName) }

// State decides whether a bullet may be shown.
type State string

// The states. The counts of a bullet can also quarantine it.
const (
	Active      State = "" // "active" has the same meaning
	Quarantined State = "quarantined"
)

// Origin is a query from which a bullet was learned.
type Origin struct {
	Run   string `yaml:"run"`
	Query string `yaml:"query"`
	Hash  string `yaml:"hash"` // see datasets.Query.Hash
}

// MarshalYAML writes an origin on one line.
func (o Origin) MarshalYAML() (any, error) {
	type plain Origin // plain has no MarshalYAML
	return oneLine(plain(o))
}

// Learned is a run from which the playbook learned. Each reflector learns from a run only once.
type Learned struct {
	Run       string  `yaml:"run"`
	Reflector string  `yaml:"reflector"` // sequence or contrast, with the source of the labels
	Queries   []Query `yaml:"queries"`
}

// Query is a query whose traces the playbook learned from, with or without a resulting bullet.
type Query struct {
	ID      string `yaml:"id"`
	Hash    string `yaml:"hash"`
	Cluster string `yaml:"cluster,omitempty"`
}

// MarshalYAML writes a query on one line.
func (q Query) MarshalYAML() (any, error) {
	type plain Query
	return oneLine(plain(q))
}

// oneLine encodes a value as a mapping in flow style.
func oneLine(v any) (*yaml.Node, error) {
	n := &yaml.Node{}
	if err := n.Encode(v); err != nil {
		return nil, err
	}
	n.Style = yaml.FlowStyle
	return n, nil
}

// Quarantine reports whether a bullet is not shown. The reason is its state, or that it has at least three
// tags and harmed at least as often as it helped.
func (b Bullet) Quarantine() bool {
	return b.State == Quarantined || b.Harmful >= b.Helpful && b.Helpful+b.Harmful >= quarantineAfter
}

// quarantineAfter is the number of tags from which the counts can quarantine a bullet.
const quarantineAfter = 3

// Score ranks bullets of equal relevance: (1 + helpful)/(1 + harmful), as ace-playbook does.
func (b Bullet) Score() float64 { return float64(1+b.Helpful) / float64(1+b.Harmful) }

// Tokens estimates the size of a bullet in a context: four bytes per token.
func (b Bullet) Tokens() int { return (len(b.Line()) + 3) / 4 }

// The default sections.
const (
	Strategies   = "strategies"
	Pitfalls     = "pitfalls"
	Observations = "observations"
)

// New returns an empty playbook with these sections; without any, with the default ones.
func New(sections ...string) *Book {
	if len(sections) == 0 {
		sections = []string{Strategies, Pitfalls, Observations}
	}
	return &Book{Schema: Schema, Sections: sections, Next: 1}
}

// Hash returns a hash of everything that can affect an agent: sections and bullets, without origins.
func (b *Book) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", b.Sections)
	for _, x := range b.Bullets {
		fmt.Fprintf(h, "%q %q %q %q %d %d %q\n", x.ID, x.Section, x.Text, x.Tools, x.Helpful, x.Harmful, x.State)
		if x.Category != "" || x.Stage != Shown || len(x.Tags) > 0 { // books without any keep their hashes
			fmt.Fprintf(h, "category %q stage %q tags %q\n", x.Category, x.Stage, x.Tags)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// find returns the index of a bullet; -1 if there is no such id.
func (b *Book) find(id string) int {
	return slices.IndexFunc(b.Bullets, func(x Bullet) bool { return x.ID == id })
}

var bulletID = lazy.Compile(`^[a-z]{3}-[0-9]{5,}$`)

// newID returns the id of the next bullet of a section.
func (b *Book) newID(section string) string {
	letters := strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, strings.ToLower(section)) + "xxx"
	b.Next = max(b.Next, 1)
	id := fmt.Sprintf("%s-%05d", letters[:3], b.Next)
	b.Next++
	return id
}

// number returns the number in an id.
func number(id string) int {
	n, _ := strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:]) // 0 for an id of another form
	return n
}
