// Package runlist lists the runs of a runs folder, finds a run by its name, and selects the runs to remove.
package runlist
