// Package tool defines the tools of an agent: the Tool interface; the Registry, which validates tools and the
// arguments of every call; and Invoke, which runs one call and turns every result into an observation. Invoke
// sets a deadline, unless the tool has its own.
//
// Each family of tools is a package below this one.
package tool
