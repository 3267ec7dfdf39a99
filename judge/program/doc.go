// Package program decides the checks of a query (package datasets/checks) that are programs. A program reads one JSON
// object with the query and what the agent did, and prints one JSON object with its verdict:
//
//	{"pass": true, "score": 0.8, "reason": "names the river"}
//
// A program runs under the limits of an agent's process: its own process group, a time limit, a limit of output and an
// environment without keys. Equal checks are asked once. Whatever a program does wrong makes the check undecided, with
// the reason: a check never passes by mistake.
package program
