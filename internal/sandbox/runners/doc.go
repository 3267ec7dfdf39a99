// Package runners has the programs that run a script of an author who is not trusted inside a sandbox and report its
// result: in Python, for node and for quickjs. They are data files. Their contract is the same: a Request as JSON on
// standard input, a Reply as JSON on descriptor 3.
//
// A script runs in the same interpreter as its runner and can write any reply itself. A reply is a claim of the script.
package runners
