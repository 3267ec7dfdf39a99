// Package baseline handles the file with the accepted runs. It reads, writes and merges the file. It checks
// whether a run may be accepted. It selects the pool of runs with which the gate compares a new run, and grades
// their stored answers again. It computes from runs the counts that ablations/gate needs for its decision, and
// lists the differences between a run and the accepted runs.
//
// The file is meant to be committed. Except by Prune, lines are only added. So two branches can be merged by
// keeping the lines of both. Git does this automatically if .gitattributes has merge=union for the file.
package baseline
