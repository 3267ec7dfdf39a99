// Package sent reads from the recordings of two runs what their agents sent to their models, and finds the
// differences: in system prompts, first messages, tools, parameters and model names, and in the texts of the
// agent's files. It looks at one trace of up to 200 queries that both runs have.
package sent
