// Package tool is what an agent can act with: the Tool interface, the Registry that
// validates tools and the arguments of every call, and Invoke, which runs one call under
// a hard deadline, unless the tool has its own, and turns whatever happens into an
// observation.
//
// Each family of tools is a package beneath this one. It may import runner/model and
// runner/trace.
package tool
