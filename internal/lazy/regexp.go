package lazy

import (
	"regexp"
	"sync"
	"testing"
)

// Regexp is a regular expression that is compiled at its first use. Its methods are those of [regexp.Regexp].
// It may be used by several goroutines at once.
type Regexp struct {
	pattern func() string
	once    sync.Once
	made    *regexp.Regexp
}

// Compile returns the regular expression of a pattern, which is compiled at its first use. A wrong pattern panics then;
// in a test it panics at once, so that the tests of a package find it.
func Compile(pattern string) *Regexp { return Build(func() string { return pattern }) }

// Build returns Compile for a pattern that is made of parts, such as the words of a table.
func Build(pattern func() string) *Regexp {
	r := &Regexp{pattern: pattern}
	if testing.Testing() {
		r.Get()
	}
	return r
}

// Get returns the compiled expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.made = regexp.MustCompile(r.pattern()) })
	return r.made
}

// String returns the pattern.
func (r *Regexp) String() string { return r.Get().String() }

// Match calls [regexp.Regexp.Match].
func (r *Regexp) Match(b []byte) bool { return r.Get().Match(b) }

// MatchString calls [regexp.Regexp.MatchString].
func (r *Regexp) MatchString(s string) bool { return r.Get().MatchString(s) }

// FindString calls [regexp.Regexp.FindString].
func (r *Regexp) FindString(s string) string { return r.Get().FindString(s) }

// FindStringIndex calls [regexp.Regexp.FindStringIndex].
func (r *Regexp) FindStringIndex(s string) []int { return r.Get().FindStringIndex(s) }

// FindStringSubmatch calls [regexp.Regexp.FindStringSubmatch].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.Get().FindStringSubmatch(s) }

// FindStringSubmatchIndex calls [regexp.Regexp.FindStringSubmatchIndex].
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.Get().FindStringSubmatchIndex(s) }

// FindSubmatch calls [regexp.Regexp.FindSubmatch].
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.Get().FindSubmatch(b) }

// FindAllString calls [regexp.Regexp.FindAllString].
func (r *Regexp) FindAllString(s string, n int) []string { return r.Get().FindAllString(s, n) }

// FindAllStringIndex calls [regexp.Regexp.FindAllStringIndex].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.Get().FindAllStringIndex(s, n) }

// FindAllStringSubmatch calls [regexp.Regexp.FindAllStringSubmatch].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex calls [regexp.Regexp.FindAllStringSubmatchIndex].
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.Get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAll calls [regexp.Regexp.ReplaceAll].
func (r *Regexp) ReplaceAll(src, repl []byte) []byte { return r.Get().ReplaceAll(src, repl) }

// ReplaceAllString calls [regexp.Regexp.ReplaceAllString].
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.Get().ReplaceAllString(src, repl)
}

// ReplaceAllFunc calls [regexp.Regexp.ReplaceAllFunc].
func (r *Regexp) ReplaceAllFunc(src []byte, repl func([]byte) []byte) []byte {
	return r.Get().ReplaceAllFunc(src, repl)
}

// ReplaceAllStringFunc calls [regexp.Regexp.ReplaceAllStringFunc].
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.Get().ReplaceAllStringFunc(src, repl)
}

// Split calls [regexp.Regexp.Split].
func (r *Regexp) Split(s string, n int) []string { return r.Get().Split(s, n) }
