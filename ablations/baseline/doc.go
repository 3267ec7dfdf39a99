// Package baseline owns the file with the accepted runs. It reads, writes and merges the file, checks whether a
// run may be accepted, selects the pool of runs that the gate compares a new run with, and grades their stored
// answers again. It turns runs into the counts that ablations/gate decides on, and lists the differences
// between a run and the accepted ones.
//
// The file is made to be committed. Lines are only added, except by Prune, so that two branches merge by
// keeping the lines of both. Git does so by itself if .gitattributes has merge=union for the file.
package baseline
