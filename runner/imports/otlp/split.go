package otlp

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
)

// reader reads the content of an entry.
type reader func(entry) (content, error)

// split divides conversations that are several: the calls of one agent in a loop below a workflow, and requests to a
// model with other first questions below one parent. Without it, the first question would get the last answer.
func (t *tree) split(read reader, mapped func(content) string) error {
	s := &splitter{tree: t, read: read, mapped: mapped, logs: map[int][]int{}}
	for i, e := range t.entries {
		if e.log && t.parents[i] != without {
			s.logs[t.parents[i]] = append(s.logs[t.parents[i]], i)
		}
	}
	s.findOwners()
	for _, i := range t.order { // parents first, so that a part may be divided again
		if t.roots[i] == i && t.entries[i].kind == workflowKind && !t.dead[i] {
			if err := s.workflow(i); err != nil {
				return err
			}
		}
	}
	for _, i := range t.order {
		if r, p := t.roots[i], t.parents[i]; r != without && t.dead[r] && r != i && p != without {
			t.roots[i] = t.roots[p]
		}
	}
	return s.requests()
}

type splitter struct {
	*tree
	read   reader
	mapped func(content) string // the question that a mapping names
	logs   map[int][]int        // log records by their spans
	owners []int                // the nearest agent or workflow, or the span itself
	parts  map[int][]int        // agents and workflows directly below a workflow
	direct map[int]int          // the first request to a model below an agent or workflow, with none between
	within []bool               // the span is below a request to a model: two instrumentations may record one request
}

func (s *splitter) findOwners() {
	s.owners, s.within = make([]int, len(s.entries)), make([]bool, len(s.entries))
	s.parts, s.direct = map[int][]int{}, map[int]int{}
	for i := range s.owners {
		s.owners[i] = without
	}
	for _, i := range s.order {
		above := without
		if p := s.parents[i]; p != without {
			above = s.owners[p]
			s.within[i] = s.within[p] || s.entries[p].kind == modelKind
		}
		s.owners[i] = above
		if s.isGroup(i) {
			s.owners[i] = i
			if above != without && s.entries[above].kind == workflowKind {
				s.parts[above] = append(s.parts[above], i)
			}
		}
	}
	for i, e := range s.entries {
		if o := s.owners[i]; o != without && e.kind == modelKind && !e.log && !s.isTwice(i) {
			if _, known := s.direct[o]; !known {
				s.direct[o] = i
			}
		}
	}
}

// isGroup reports whether an entry is a span of an agent or a workflow.
func (s *splitter) isGroup(i int) bool {
	e := s.entries[i]
	return !e.log && (e.kind == agentKind || e.kind == workflowKind)
}

// workflow makes the agents directly below a workflow conversations of their own if they are calls of one agent in a
// loop: two or more with the same name, each with a question, and no request to a model between them. A workflow with a
// question and an answer, or with the question of one of its agents, stays whole.
func (s *splitter) workflow(root int) error {
	parts := s.parts[root]
	if _, asks := s.direct[root]; asks || len(parts) < 2 {
		return nil
	}
	whole, err := s.read(s.entries[root])
	if err != nil || s.mapped(whole) != "" {
		return err
	}
	asked, answered := questionOf(whole.messages()), ""
	if asked == "" {
		asked = whole.recordedInput()
	}
	if asked != "" {
		_, out := whole.messages()
		answered = cmp.Or(lastOf(out, "assistant"), whole.recordedOutput())
	}
	first := ""
	for n, i := range parts {
		c, err := s.read(s.entries[i])
		if err != nil {
			return err
		}
		name := cmp.Or(c.text("agent"), c.Name)
		if n == 0 {
			first = name
		}
		question, err := s.firstQuestion(i, c)
		if err != nil {
			return err
		}
		if name != first || question == "" || asked != "" && (answered != "" || question == asked) {
			return nil
		}
	}
	s.dead[root] = true
	for _, i := range parts {
		s.roots[i] = i
	}
	return nil
}

// firstQuestion returns the question of an agent: its own, or that of the first request to a model below it.
func (s *splitter) firstQuestion(part int, c content) (string, error) {
	if q := cmp.Or(questionOf(c.messages()), c.recordedInput()); q != "" {
		return q, nil
	}
	i, asks := s.direct[part]
	if !asks {
		return "", nil
	}
	in, _, err := s.messages(i)
	return firstOf(in), err
}

// requests divides requests to models that have no agent, but one parent: those that begin with the same message of the
// user are one conversation, unless all messages are the same again after a final reply. Requests below a span of
// a server, or below one with a question, stay together.
func (s *splitter) requests() error {
	groups, members := map[int][]int{}, map[int][]int{}
	for i, e := range s.entries {
		r := s.roots[i]
		if r == without || s.isGroup(r) || s.entries[r].server || s.isTwice(i) {
			continue
		}
		members[r] = append(members[r], i)
		if e.kind == modelKind && !e.log && !s.within[i] {
			groups[r] = append(groups[r], i)
		}
	}
	before, divided := slices.Clone(s.roots), map[int]bool{}
	for r, list := range groups {
		if len(list) < 2 {
			continue
		}
		begins, err := s.begins(r, list)
		if err != nil {
			return err
		}
		if begins == nil {
			continue
		}
		divided[r] = true
		last := list[0]
		for _, i := range members[r] { // in the order of time: calls of tools belong to the request before them
			if at, is := begins[i]; is {
				last = at
			}
			s.roots[i] = last
		}
		if s.entries[r].kind != modelKind {
			s.roots[r] = without
		}
	}
	for _, i := range s.order { // what is below a request or a call, and its log records
		r, p := before[i], s.parents[i]
		if r != without && divided[r] && p != without && (p != r || s.entries[r].kind == modelKind) {
			s.roots[i] = s.roots[p]
		}
	}
	return nil
}

// begins returns the request with which the conversation of each request begins; nil if there is only one conversation.
func (s *splitter) begins(root int, list []int) (map[int]int, error) {
	if s.entries[root].kind != modelKind {
		c, err := s.read(s.entries[root])
		if err != nil || s.mapped(c) != "" || questionOf(c.messages()) != "" || c.recordedInput() != "" {
			return nil, err
		}
	}
	type begun struct { // digests, because texts may be long
		at    int
		in    [sha256.Size]byte // of the messages of its first request
		final bool              // the last reply calls no tool
	}
	known, out := map[[sha256.Size]byte]*begun{}, map[int]int{} // conversations by digests of their first questions
	var last *begun
	several := false
	for _, i := range list { // in the order of time
		in, reply, err := s.messages(i)
		if err != nil {
			return nil, err
		}
		if asked := firstOf(in); asked != "" { // without, it goes on with the request before
			key, all := sha256.Sum256([]byte(asked)), digestOf(in)
			last = known[key]
			if last == nil || last.final && last.in == all { // the same question again
				last = &begun{at: i, in: all}
				several = several || len(out) > 0
				known[key] = last
			}
		} else if last == nil {
			last = &begun{at: i}
		}
		out[i], last.final = last.at, lastOf(reply, "assistant") != ""
	}
	if !several {
		return nil, nil
	}
	return out, nil
}

// messages returns the messages of a request and the reply.
func (s *splitter) messages(i int) (in, reply []message, err error) {
	p := part{}
	if p.content, err = s.read(s.entries[i]); err != nil {
		return nil, nil, err
	}
	for _, l := range s.logs[i] {
		c, err := s.read(s.entries[l])
		if err != nil {
			return nil, nil, err
		}
		p.logs = append(p.logs, c)
	}
	in, reply = p.messages()
	return in, reply, nil
}

// messages returns the messages of a span without log records.
func (c content) messages() (in, out []message) { return (&part{content: c}).messages() }

// questionOf returns the question in the messages of a span; "" without one.
func questionOf(in, _ []message) string {
	if _, rest := question(in); len(rest) > 0 {
		return rest[0].text
	}
	return ""
}

// digestOf returns a digest of what message.equals compares.
func digestOf(list []message) (out [sha256.Size]byte) {
	hash := sha256.New() // its Write returns no error
	for _, m := range list {
		fmt.Fprintf(hash, "%q %q", m.role, m.text)
		for _, c := range m.calls {
			fmt.Fprintf(hash, " %q %q", c.id, c.name)
		}
		hash.Write([]byte{'\n'})
	}
	copy(out[:], hash.Sum(nil))
	return out
}

// firstOf returns the first message of the user.
func firstOf(in []message) string {
	for _, m := range in {
		if m.role == "user" && m.text != "" {
			return m.text
		}
	}
	return ""
}
