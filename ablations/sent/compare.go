package sent

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/runner/config"
)

// Comparison has the differences between what two runs sent.
type Comparison struct {
	// Queries is the number of queries whose first traces were compared; Of is the number of queries that both
	// runs have.
	Queries     int          `json:"queries"`
	Of          int          `json:"of"`
	Differences []Difference `json:"differences"`
	// Missing has sentences about recordings and texts that could not be compared. Advice is a sentence for
	// results that differ although no difference is known; "" otherwise.
	Missing []string `json:"missing"`
	Advice  string   `json:"advice"`
}

// Difference is one difference between what two runs sent.
type Difference struct {
	Kind    Kind   `json:"kind"`
	Name    string `json:"name"`    // of the tool, parameter or file, after the path of the sub-agent that sent it
	Queries int    `json:"queries"` // the compared queries with this kind of difference; 0 for a file
	Query   string `json:"query"`   // the query of the shown lines; "" for a file
	Varied  bool   `json:"varied"`  // the changed lines differ from query to query; those of one are shown
	// Was and Now are the values of a parameter or a model. A value is nil if it was not sent, and for other
	// kinds of differences. Gone and New report that only one run has this part.
	Was  *string `json:"was"`
	Now  *string `json:"now"`
	Gone bool    `json:"gone"`
	New  bool    `json:"new"`
	// Lines are the lines of a unified diff. More is the number of changed lines that are left out. Both are
	// empty if a text was not kept.
	Lines []string `json:"lines"`
	More  int      `json:"more"`
}

// Limits of what is shown.
const (
	aroundLines     = 2  // equal lines before and after a changed line
	mostLines       = 40 // lines of one difference
	mostDifferences = 30
	mostForms       = 3 // differences of one prompt or tool that have other changed lines
)

// Advise sets Advice, for results that differ. known are the differences that are known otherwise, such as in
// settings; agent is the external agent of the later run.
func (c *Comparison) Advise(known []string, agent config.External) {
	switch {
	case len(known)+len(c.Differences) > 0:
		return
	case !agent.Used() || agent.Imported != "":
		c.Advice = "nothing that concur saw differs"
	case len(agent.Files) > 0:
		c.Advice = "nothing that concur saw differs; name more of your agent's files under agent.files"
	default:
		c.Advice = "nothing that concur saw differs; name your agent's files under agent.files"
	}
}

// Compare compares what two runs sent. of is the number of queries that both runs have; was and now are samples
// of these queries. A part counts as changed in a query if its two texts differ, and one of them is in no query
// of the other sample. If only one side has a part, this is a difference only if at least half of the queries
// have it. Reason: an agent may send some requests only after certain replies.
func Compare(was, now Sample, of int) Comparison {
	c := comparer{was: was, now: now, out: Comparison{Of: of, Differences: []Difference{}, Missing: []string{}}}
	c.requests()
	c.files()
	slices.SortStableFunc(c.out.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			cmp.Compare(a.Name, b.Name), cmp.Compare(b.Queries, a.Queries))
	})
	if more := len(c.out.Differences) - mostDifferences; more > 0 {
		c.out.Differences = c.out.Differences[:mostDifferences]
		c.out.Missing = append(c.out.Missing, fmt.Sprintf("%d more differences are left out", more))
	}
	for _, s := range []Sample{was, now} {
		if s.Problem != "" {
			c.out.Missing = append(c.out.Missing, "the recording of "+s.Run+" is incomplete: "+s.Problem)
		}
	}
	c.unequalRecordings()
	return c.out
}

// unequalRecordings adds a sentence if only one of two undamaged runs has recorded requests.
func (c *comparer) unequalRecordings() {
	for _, pair := range [][2]Sample{{c.was, c.now}, {c.now, c.was}} {
		if with, without := pair[0], pair[1]; len(with.Queries) > 0 && len(without.Queries) == 0 && without.Problem == "" {
			c.out.Missing = append(c.out.Missing, fmt.Sprintf("%s has no recorded request of these queries, and %s has",
				without.Run, with.Run))
		}
	}
}

// comparer compares two samples.
type comparer struct {
	was, now Sample
	out      Comparison
}

// group names parts that are compared with each other.
type group struct {
	kind Kind
	name string
}

func (p Part) group() group { return group{p.Kind, p.Name} }

// change is a part that changed in some queries: the digests of its texts, "" on a side that does not have it.
type change struct{ was, now string }

// requests compares the parts of requests, query by query.
func (c *comparer) requests() {
	sides := [2]Sample{c.was, c.now}
	anywhere := [2]map[Part]bool{partsOf(c.was), partsOf(c.now)}
	queries := map[group]map[change][]string{} // the ids of the queries with each change
	for _, q := range sides[0].Queries {
		other := sides[1].of(q.ID)
		if other == nil {
			continue
		}
		c.out.Queries++
		was, now := without(q.Parts, other), without(other, q.Parts)
		for of := range mergedKeys(was, now) {
			for i := range max(len(was[of]), len(now[of])) {
				x, known := change{}, true
				if i < len(was[of]) {
					x.was = was[of][i]
					known = anywhere[1][anonymous(Part{of.kind, of.name, x.was})]
				}
				if i < len(now[of]) {
					x.now = now[of][i]
					known = known && anywhere[0][anonymous(Part{of.kind, of.name, x.now})]
				}
				if known {
					continue
				}
				if queries[of] == nil {
					queries[of] = map[change][]string{}
				}
				queries[of][x] = append(queries[of][x], q.ID)
			}
		}
	}
	for of, changes := range queries {
		c.add(of, changes)
	}
}

// partsOf returns all parts of a sample. Prompts and messages are in it without their names, so that a prompt
// that another sub-agent sends is not new.
func partsOf(s Sample) map[Part]bool {
	out := map[Part]bool{}
	for _, q := range s.Queries {
		for _, p := range q.Parts {
			out[anonymous(p)] = true
		}
	}
	return out
}

func anonymous(p Part) Part {
	if p.Kind == SystemPrompt || p.Kind == FirstMessage {
		p.Name = ""
	}
	return p
}

// without returns the digests of the parts that other parts do not include, in order.
func without(parts, other []Part) map[group][]string {
	out := map[group][]string{}
	for _, p := range parts {
		if !slices.ContainsFunc(other, func(o Part) bool { return anonymous(o) == anonymous(p) }) {
			out[p.group()] = append(out[p.group()], p.Text)
		}
	}
	return out
}

// mergedKeys returns the keys of two maps.
func mergedKeys[K comparable, V any](a, b map[K]V) map[K]bool {
	out := map[K]bool{}
	for _, m := range []map[K]V{a, b} {
		for k := range m {
			out[k] = true
		}
	}
	return out
}

// files compares the agents' files that both runs have: their texts, or their digests if a text was not kept.
func (c *comparer) files() {
	for _, name := range slices.Sorted(maps.Keys(c.was.Files)) {
		was := c.was.Files[name]
		now, both := c.now.Files[name]
		if !both {
			continue
		}
		if was == "" || now == "" {
			a, b := c.was.Contents[name], c.now.Contents[name]
			if a != "" && b != "" && a != b {
				c.out.Differences = append(c.out.Differences, Difference{Kind: File, Name: name, Lines: []string{}})
			}
			continue
		}
		if was == now {
			continue
		}
		if d, _, differs := c.difference(group{File, name}, change{was, now}); differs {
			c.out.Differences = append(c.out.Differences, d)
		}
	}
}
