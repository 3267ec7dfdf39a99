package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/jq"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// names reports arguments and settings that are used and not declared, and those that are declared and not used.
func (c *checker) names() {
	declared := map[string][]string{}
	for _, p := range c.Parameters {
		declared[arguments.Name] = append(declared[arguments.Name], p.Name)
	}
	for _, s := range c.Settings {
		declared[settings.Name] = append(declared[settings.Name], s.Name)
	}
	used := map[jq.Use]bool{}
	c.exprs(func(e *jq.Expr, at strictyaml.Pos) {
		for _, use := range e.Uses {
			used[use] = true
			if !slices.Contains(declared[use.Variable], use.Field) {
				advice := "declare it in " + strings.TrimPrefix(use.Variable, "$")
				if close := strictyaml.Closest(use.Field, declared[use.Variable]); close != "" {
					advice = fmt.Sprintf("did you mean %s?", close)
				}
				c.fail(at, "", "%s.%s is not declared (%s)", use.Variable, use.Field, advice)
			}
		}
	})
	if c.broken { // some uses may be missing
		return
	}
	for _, p := range c.Parameters {
		if !used[jq.Use{Variable: arguments.Name, Field: p.Name}] {
			c.unused(p.at, "parameters", arguments.Name, p.Name)
		}
	}
	c.optional()
	for _, s := range c.Settings {
		if !used[jq.Use{Variable: settings.Name, Field: s.Name}] {
			c.unused(s.at, "settings", settings.Name, s.Name)
		}
	}
}

// unused reports an argument or a setting that no expression uses. If a text with == names it, one = is too many.
func (c *checker) unused(declared strictyaml.Pos, path, variable, name string) {
	use, found := variable+"."+name, false
	c.escapes(func(text string, at strictyaml.Pos) {
		_, after, is := strings.Cut(text, use)
		if found {
			return
		}
		if found = is && (after == "" || !identifier.MatchString("_"+after[:1])); found {
			c.fail(at, "", "== begins a text, so %s is not used: write %s with one =", use, use)
		}
	})
	if !found {
		c.fail(declared, path, "%s is used nowhere: use it, or leave it out", name)
	}
}

// escapes calls do for every text of the requests that is written with ==.
func (f *File) escapes(do func(text string, at strictyaml.Pos)) {
	for i := range f.Requests {
		r := &f.Requests[i]
		r.URL.escapes(do)
		for j := range r.Path {
			r.Path[j].escapes(do)
		}
		r.Query.escapes(do)
		r.Form.escapes(do)
		r.Headers.escapes(do)
		if r.JSON != nil {
			r.JSON.escapes(do)
		}
	}
}

// optional finds the settings that need no value.
func (c *checker) optional() {
	needed := map[string]bool{}
	c.exprs(func(e *jq.Expr, _ strictyaml.Pos) {
		for _, use := range e.Uses {
			if use.Variable == settings.Name && strings.TrimSpace(e.Text) != settings.Name+"."+use.Field {
				needed[use.Field] = true
			}
		}
	})
	for i := range c.Requests {
		r := &c.Requests[i]
		for _, v := range append([]Value{r.URL.Value}, r.Path...) {
			v.exprs(func(e *jq.Expr, _ strictyaml.Pos) {
				for _, use := range e.Uses {
					needed[use.Field] = needed[use.Field] || use.Variable == settings.Name
				}
			})
		}
	}
	for i := range c.Settings {
		c.Settings[i].Optional = !needed[c.Settings[i].Name]
	}
}

// exprs calls do for every expression of the file.
func (f *File) exprs(do func(*jq.Expr, strictyaml.Pos)) {
	query := func(all ...*Query) {
		for _, q := range all {
			if q != nil && q.Expr != nil {
				do(q.Expr, q.at)
			}
		}
	}
	failures := func(all []Failure) {
		for _, one := range all {
			query(one.When, one.Message, one.Wait)
		}
	}
	for i := range f.Requests {
		r := &f.Requests[i]
		r.URL.exprs(do)
		for j := range r.Path {
			r.Path[j].exprs(do)
		}
		r.Query.exprs(do)
		r.Form.exprs(do)
		r.Headers.exprs(do)
		if r.JSON != nil {
			r.JSON.exprs(do)
		}
		if r.Keep != nil {
			query(r.Keep.Secret)
		}
		if r.Pages != nil {
			query(r.Pages.Next)
		}
		query(r.Empty)
		failures(r.Failures)
	}
	for _, w := range f.Auth {
		if w.JWT != nil {
			w.JWT.Header.exprs(do)
			w.JWT.Claims.exprs(do)
		}
	}
	failures(f.Failures)
	query(f.Message, f.Object)
	if d := f.Documents; d != nil {
		query(d.Each, d.ID, d.Title, d.Snippet, d.Source, d.Score, d.Time, d.AtMost)
	}
}
