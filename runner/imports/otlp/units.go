package otlp

// unit is the part of a trace that is one conversation: an agent or workflow, or requests to a model without one.
// Places are those in the entries of the trace.
type unit struct {
	root    int   // the place of its first span
	members []int // the places of all its spans and log records, in the order of time
	above   []int // the places of the spans above the root, the nearest first
}

// mostAbove is the maximum number of spans above a root whose attributes are read.
const mostAbove = 16

// unitsOf finds the conversations of a trace in its entries. found counts duplicates, cycles and others.
func (s *Store) unitsOf(entries []entry) (out []unit, found counts, err error) {
	t := &tree{entries: entries, at: map[[8]byte]int{}}
	t.link()
	t.findRoots()
	t.findRequests()
	err = t.split(s.content, func(c content) string { return s.mappedText(c, "query") })
	return t.collect(), t.counts, err
}

// tree has the spans of a trace.
type tree struct {
	counts  counts
	entries []entry
	at      map[[8]byte]int // places of spans, by id
	parents []int           // -1 without one
	order   []int           // parents before their children
	roots   []int           // the root of the conversation of each span; -1 without one
	dead    map[int]bool    // roots above several traces of a query
}

const without = -1

// link finds the parents of spans, and cuts cycles. A log record is below its span. Of a span that is there twice, the
// larger one counts: it may have been sent first without and then with content.
func (t *tree) link() {
	t.parents = make([]int, len(t.entries))
	for i, e := range t.entries {
		if e.log {
			continue
		}
		other, twice := t.at[e.id]
		if twice {
			t.counts.duplicates++
		}
		if !twice || e.size > t.entries[other].size {
			t.at[e.id] = i
		}
	}
	for i, e := range t.entries {
		if t.isTwice(i) {
			t.parents[i] = i
			continue
		}
		id, parent := e.parent, without
		if e.log {
			id = e.id
		}
		if id != ([8]byte{}) {
			if p, known := t.at[id]; known {
				parent = p
			} else if !e.log {
				t.counts.orphans++
			}
		}
		t.parents[i] = parent
	}
	t.cut()
}

// cut makes a span that is its own ancestor one without a parent, and puts parents before children.
func (t *tree) cut() {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(t.entries))
	for i := range t.entries {
		var path []int
		for j := i; j != without && state[j] == fresh; j = t.parents[j] {
			if t.isTwice(j) {
				break
			}
			state[j] = open
			path = append(path, j)
			if p := t.parents[j]; p != without && state[p] == open {
				t.parents[j] = without
				t.counts.cycles++
				break
			}
		}
		for k := len(path) - 1; k >= 0; k-- {
			state[path[k]] = done
			t.order = append(t.order, path[k])
		}
	}
}

// isTwice reports whether the entry is a span in whose place another one counts.
func (t *tree) isTwice(i int) bool { e := t.entries[i]; return !e.log && t.at[e.id] != i }

// findRoots finds the outermost agent or workflow of each span. If a query's K traces have indexes, each is a
// conversation, and the workflow above them is none.
func (t *tree) findRoots() {
	t.roots, t.dead = make([]int, len(t.entries)), map[int]bool{}
	for i := range t.roots {
		t.roots[i] = without
	}
	for _, i := range t.order {
		e, above := t.entries[i], without
		if p := t.parents[i]; p != without {
			above = t.roots[p]
		}
		isRoot := e.kind == agentKind || e.kind == workflowKind
		switch {
		case above != without && t.entries[above].indexed:
			t.roots[i] = above
		case isRoot && e.indexed:
			if t.roots[i] = i; above != without {
				t.dead[above] = true
			}
		case above != without:
			t.roots[i] = above
		case isRoot:
			t.roots[i] = i
		}
	}
}

// findRequests gives requests to models without an agent a root: the server's span above them, or else their parent.
// Spans below that root belong to the same conversation.
func (t *tree) findRequests() {
	anchors, lost := map[int]bool{}, map[[8]byte]int{}
	for _, i := range t.order {
		if t.roots[i] != without || t.entries[i].kind != modelKind || t.entries[i].log {
			continue
		}
		anchor, e := i, t.entries[i]
		if p := t.parents[i]; p == without && e.parent != ([8]byte{}) { // requests below the same lost span
			if first, known := lost[e.parent]; known {
				t.roots[i] = first
				continue
			}
			lost[e.parent] = i
		} else if p != without {
			anchor = p
			for ; p != without; p = t.parents[p] {
				if t.entries[p].server {
					anchor = p
				}
			}
		}
		anchors[anchor] = true
	}
	for _, i := range t.order { // parents first
		p := t.parents[i]
		switch {
		case t.roots[i] != without:
		case p != without && t.roots[p] != without:
			t.roots[i] = t.roots[p]
		case anchors[i]:
			t.roots[i] = i
		}
	}
}

// collect returns the conversations: an agent, or a root with a request to a model. The spans of others are counted.
func (t *tree) collect() (out []unit) {
	members, asks := map[int][]int{}, map[int]bool{}
	var order []int
	for i, e := range t.entries {
		r := t.roots[i]
		if r == without || t.dead[r] || t.isTwice(i) {
			if !t.isTwice(i) && !e.log {
				t.counts.foreign++
			}
			continue
		}
		if members[r] == nil {
			order = append(order, r)
		}
		members[r] = append(members[r], i)
		asks[r] = asks[r] || e.kind == modelKind && !e.log || e.kind == agentKind
	}
	for _, r := range order {
		if asks[r] {
			u := unit{root: r, members: members[r]}
			for p := t.parents[r]; p != without && len(u.above) < mostAbove; p = t.parents[p] {
				u.above = append(u.above, p)
			}
			out = append(out, u)
		} else {
			t.counts.foreign += len(members[r])
		}
	}
	return out
}
