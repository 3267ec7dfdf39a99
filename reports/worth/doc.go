// Package worth renders what the calls of a run were worth: tables, lists of calls, and CSV.
package worth
