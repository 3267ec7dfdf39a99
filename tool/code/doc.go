// Package code lets a model run programs that it writes, in Python and JavaScript. A user declares it as a tool,
// `tools: {code: {languages: [javascript]}}`.
//
// The agent under test writes the programs, so it is the attacker: a program must not read keys or files of the user,
// reach the network, use up time, memory or processes, or outlive its call. The engines of package sandbox hold these
// limits, each program in a fresh interpreter. No list of forbidden words is part of it.
package code
