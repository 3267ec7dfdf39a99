// Package interpreter finds the interpreters of this machine for sandboxes: the real program behind a shim or a link,
// and the folders that it needs. The user's own programs are started once for that, outside of a sandbox.
package interpreter
