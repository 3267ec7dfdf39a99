// Package suspects finds golds that are probably wrong, from the answers of runs. It reports a gold in three
// cases: agents that are right on other queries fail on this one; all models give the same answer, and the gold
// refuses it; a judge or a person accepts an answer that the gold refuses.
package suspects
