// Package baseline owns the file with the accepted runs: reading, writing and merging it, what may enter it, the
// pool of runs that the gate compares a new one with, and grading their stored answers again. It turns runs into the
// counts that ablations/gate decides on, and says in what a run differs from the accepted ones.
//
// The file is made to be committed. Lines are only added, except by Prune, so that two branches merge by
// keeping both sides, which git does by itself where .gitattributes says merge=union of the file.
package baseline
