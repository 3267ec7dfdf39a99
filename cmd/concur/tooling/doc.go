// Package tooling has the logic of `concur tools` for tools that are files: it checks a file on recorded replies,
// records calls as cases, shows what a call would send, and says what a tool needs.
package tooling
