// Package choose opens the sandbox that a configuration names, or the best one of this machine. Nothing runs with
// less than the configuration asks for: a language without a sandbox is an error before the first question.
package choose
