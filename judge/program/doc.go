// Package program decides the checks of a query (package datasets/checks) that are programs. A program reads
// one JSON object with the query and what the agent did, and prints one JSON object with its verdict:
//
//	{"pass": true, "score": 0.8, "reason": "names the river"}
//
// A program runs under the limits of an agent's process: its own process group, a time limit, a limit of output
// and an environment without keys. For equal checks, the program runs only once. If a program does something
// wrong, the check is undecided, with the reason. So a check never passes by mistake.
package program
