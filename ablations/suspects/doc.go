// Package suspects finds golds that are probably wrong, from the answers of runs. It reports a gold if agents
// that do well on other queries fail on this one, if all models give the same answer that the gold refuses, or
// if a judge or a person accepts an answer that the gold refuses.
package suspects
