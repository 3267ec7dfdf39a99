// Package fetch is a polite HTTP client for tools that use servers on the Internet. It limits time, size,
// redirects and load per host, repeats only requests that can succeed, refuses private addresses, keeps
// secrets out of errors, and classifies failures by the kinds of docs/agent.md#search.
//
// It reads no environment. In particular it uses no proxy, because a proxy resolves names itself and could
// reach refused addresses.
package fetch
