// Package tool defines the tools of an agent: the Tool interface, the Registry, which
// validates tools and the arguments of every call, and Invoke, which runs one call under a
// deadline, unless the tool has its own, and turns every result into an observation.
//
// Each family of tools is a package beneath this one.
package tool
