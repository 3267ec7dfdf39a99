// Package reading has the commands that read runs: report, compare, trace, export, plan, view, and runs and merge,
// which look after their folders. It also has the report that other commands print after a run.
package reading
