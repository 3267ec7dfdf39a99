// Package naming names the configurations of a run for people. It reads a manifest and no records.
package naming
