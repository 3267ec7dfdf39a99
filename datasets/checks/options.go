package checks

import (
	"slices"
	"time"

	"gopkg.in/yaml.v3"
)

// options reads the keys beside the check's own.
func (r *reader) options(c *Check, fields map[string]yaml.Node, path string) {
	f := forms[c.Kind]
	for _, o := range []struct {
		name    string
		allowed bool
		of      string
		read    func(n *yaml.Node, at string)
	}{
		{"on", f.text, "checks of a text", func(n *yaml.Node, at string) { r.on(c, n, at) }},
		{"threshold", f.threshold, "similar, exec and all", func(n *yaml.Node, at string) {
			if r.decode(n, at, &c.Threshold) && !(c.Threshold > 0 && c.Threshold <= 1) {
				r.fail(n, at, "is %v: give a number above 0 and at most 1", c.Threshold)
			}
		}},
		{"weight", true, "", func(n *yaml.Node, at string) {
			weight := 0.0
			if r.decode(n, at, &weight) && !(weight >= 0 && weight <= 1e6) {
				r.fail(n, at, "is %v: give a number from 0 to 1,000,000", weight)
			}
			if c.Weight = &weight; weight == 1 {
				c.Weight = nil
			}
		}},
		{"serve", c.Kind == Exec, "exec", func(n *yaml.Node, at string) { r.decode(n, at, &c.Exec.Serve) }},
		{"language", c.Kind == Tests, "tests", func(n *yaml.Node, at string) {
			if l := &c.Suite.Language; r.decode(n, at, l) && *l != Python && *l != JavaScript {
				r.fail(n, at, "is %.40q: write %s or %s", *l, Python, JavaScript)
			}
		}},
		{"beside", c.Kind == Tests, "tests", func(n *yaml.Node, at string) { r.decode(n, at, &c.Suite.Beside) }},
		{"timeout", c.Kind == Exec || c.Kind == Tests, "exec and tests", func(n *yaml.Node, at string) {
			t := &c.Exec.Timeout
			if c.Kind == Tests {
				t = &c.Suite.Timeout
			}
			if r.decode(n, at, t) && (*t <= 0 || *t > LongestTimeout) {
				r.fail(n, at, "is %s: give a time above 0 and at most %.0fm", n.Value, LongestTimeout.Minutes())
			}
		}},
	} {
		n, given := fields[o.name]
		switch at := below(path, o.name); {
		case !given:
		case !o.allowed:
			r.fail(&n, at, "has no meaning for %s, only for %s: remove it", c.Name(), o.of)
		default:
			o.read(&n, at)
		}
	}
	if c.Kind == Similar && c.Threshold == 0 {
		c.Threshold = DefaultSimilar
	}
}

func (r *reader) on(c *Check, n *yaml.Node, at string) {
	if !r.decode(n, at, &c.On) {
		return
	}
	switch c.On {
	case OnMessage:
		c.On = ""
	case OnAnswer:
	default:
		r.fail(n, at, "is %.40q: write message or answer", c.On)
	}
}

// Grouped returns checks with a threshold for the weighted mean of their scores as one check. If the threshold
// is 0, it returns the checks unchanged.
func Grouped(list []Check, threshold float64) []Check {
	if threshold == 0 {
		return list
	}
	return []Check{{Kind: All, Parts: list, Threshold: threshold}}
}

// NoneDecides is the message for a list in which each check has the weight 0.
const NoneDecides = "no check with a weight above 0: without one, every message passes; give a check a weight above 0"

// Decide reports whether a list has a check with a weight above 0.
func Decide(list []Check) bool {
	return slices.ContainsFunc(list, func(c Check) bool { return c.Weighs() > 0 })
}

// Limit returns the limit of the time for one check.
func (p Program) Limit() time.Duration {
	if p.Timeout == 0 {
		return DefaultTimeout
	}
	return p.Timeout
}
