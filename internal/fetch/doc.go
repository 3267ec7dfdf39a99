// Package fetch is an HTTP client for tools that use servers on the Internet. It limits time, size, redirects
// and load per host. It repeats only requests that can succeed. It refuses private addresses, and keeps secrets
// out of errors. It classifies failures by the kinds of docs/agent.md#search.
//
// It reads no environment. In particular it uses no proxy, because a proxy resolves names itself and could
// reach refused addresses.
package fetch
