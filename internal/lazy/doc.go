// Package lazy holds regular expressions that are compiled at their first use. A command that uses none of them, such
// as `concur version` or a completion, then starts in less time.
package lazy
