// Package calendar tells the agent the date, as the calendar of Toolformer does (Schick et al. 2023, arXiv
// 2302.04761): without an argument, in one sentence.
package calendar
