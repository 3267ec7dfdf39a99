// Package questions keeps the questions of a session of `concur ask`. Each question is a query without gold, with the
// earlier questions and replies as its history. The questions are in a file of the run folder, so that a replay can
// ask them again.
package questions
