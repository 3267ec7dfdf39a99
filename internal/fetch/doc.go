// Package fetch is a polite HTTP client for tools that ask servers on the Internet: it bounds time, size, redirects
// and load per host, repeats only what can succeed, refuses private addresses, keeps secrets out of errors, and
// classifies failures by the kinds of docs/agent.md#search.
//
// It reads no environment. In particular it uses no proxy: a proxy resolves names itself
// and so reaches what is refused here.
//
// It imports internal/pace and internal/secret.
package fetch
