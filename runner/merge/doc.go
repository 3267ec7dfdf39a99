// Package merge joins the shards of a run into one run folder, after it has checked that they belong to the
// same run.
package merge
