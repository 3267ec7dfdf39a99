// Package merge joins the shards of a run into one run folder, after it has made sure that they are of one run.
package merge
