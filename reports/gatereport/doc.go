// Package gatereport writes a gate's decision and the content of a baseline, for people and for programs.
package gatereport
