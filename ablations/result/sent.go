package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// temperatureKey is the key of a setting that some models do not accept.
const temperatureKey = "agent.temperature"

// tellSent records for each row which settings were sent, and which rows sent the same requests.
func (r *Result) tellSent(m store.Manifest) {
	first := map[string]string{} // the first row by settings sent and way of counting
	alike := map[string][]int{}  // all rows by settings sent
	for i, c := range m.Configurations {
		row, of := &r.Configurations[i], m.Agents[c.Agent]
		row.Sent, row.Unset = of.Sent, of.Unset
		for _, name := range of.Unset {
			configured := "what is configured"
			if name == "temperature" {
				configured = fmt.Sprintf("%s %v", temperatureKey, c.Configuration.Agent.Temperature)
			}
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %s not settable: %s does not accept it, so %s was not sent",
				c.Name, name, c.Model, configured))
		}
		if of.Sent == "" {
			continue
		}
		alike[of.Sent] = append(alike[of.Sent], i)
		key := of.Sent + otherwise(c)
		if row.SameAs = first[key]; row.SameAs == "" {
			first[key] = c.Name
		}
	}
	for i := range r.Configurations {
		of := alike[r.Configurations[i].Sent]
		other := func(j int) bool { return r.Configurations[j].Agent != r.Configurations[i].Agent }
		if len(of) < 2 || of[0] != i || !slices.ContainsFunc(of, other) {
			continue
		}
		parts := make([]string, len(of))
		for n, j := range of {
			c := r.Configurations[j]
			parts[n] = fmt.Sprintf("%s (%d/%d)", c.Name, c.Counts.Correct, c.Counts.Queries)
		}
		r.Remarks = append(r.Remarks, fmt.Sprintf(
			"%s sent the same requests to %s: they are one agent, so a difference between them is chance",
			text.Listed(parts), r.Configurations[i].Model))
	}
}

// otherwise returns, as one text, everything in which two rows can differ except the temperature: the effective
// settings of a configuration, and the number of its first trace.
func otherwise(c store.Configuration) string {
	var b strings.Builder
	settings := config.Settings(c.Configuration.Effective())
	delete(settings, temperatureKey)
	keys := make([]string, 0, len(settings))
	for key := range settings {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		fmt.Fprintf(&b, "\n%s=%s", key, settings[key])
	}
	return fmt.Sprintf("%s\n%d", b.String(), c.First)
}

// Same returns the name of the first row that sent the same requests as this row. It may be this row.
func (c Configuration) Same() string { return cmp.Or(c.SameAs, c.Name) }

// Together returns a result in which rows are merged into one row if they sent the same requests and are
// counted in the same way. The merged row has the figures of the baseline if that is one of them, and otherwise
// of the first; it has the names of all. The figures of the other rows are in the remarks.
func Together(r *Result) *Result {
	members := map[string][]Configuration{}
	for _, c := range r.Configurations {
		members[c.Same()] = append(members[c.Same()], c)
	}
	if len(members) == len(r.Configurations) {
		return r
	}
	out := *r
	out.Configurations, out.Comparisons, out.Warnings = nil, nil, nil
	gone, named := map[string]bool{}, map[string]string{}
	for _, c := range r.Configurations {
		group := members[c.Same()]
		if group[0].Name != c.Name {
			continue
		}
		kept := group[max(0, slices.IndexFunc(group, func(c Configuration) bool { return c.Name == r.Baseline }))]
		names, titles := make([]string, len(group)), make([]string, len(group))
		for i, g := range group {
			names[i], titles[i] = g.Name, cmp.Or(g.Title, g.Name)
			gone[g.Name] = g.Name != kept.Name
		}
		named[kept.Name] = strings.Join(names, " = ")
		kept.Name, kept.Title = named[kept.Name], strings.Join(titles, " = ")
		out.Configurations = append(out.Configurations, kept)
	}
	out.Baseline = cmp.Or(named[r.Baseline], r.Baseline)
	for _, c := range r.Comparisons {
		if !gone[c.Configuration] && c.Configuration != r.Baseline {
			c.Baseline, c.Configuration = cmp.Or(named[c.Baseline], c.Baseline),
				cmp.Or(named[c.Configuration], c.Configuration)
			out.Comparisons = append(out.Comparisons, c)
		}
	}
	for _, w := range r.Warnings {
		name, about, _ := strings.Cut(w, ": ")
		if !gone[name] {
			if to := named[name]; to != "" {
				w = to + ": " + about
			}
			out.Warnings = append(out.Warnings, w)
		}
	}
	return &out
}
