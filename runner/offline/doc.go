// Package offline implements a model that needs neither network nor key: offline:reader, which retrieves and
// computes by rules behind the Model interface. It is a fake for testing and demonstrating the harness, not a
// language model.
//
// Each call reads the whole conversation and decides the next turn as a pure function of messages, tools, tool
// choice, temperature and seed. If the planner has divided the question into steps, the model follows the
// steps. A look-up searches with the words of the question, and ranks the sentences of the results. It searches
// once more, for names in the best sentences. Then it takes the part of a sentence (span) that has the wanted
// type and is nearest to the question's words. The calc tool does the arithmetic. The model draws among
// candidates by softmax. For a question about a database, package statement writes a SELECT. The tables in
// this folder list the words that the model knows; its only facts are the definitions of units in internal/value.
// It supports native tool calls, the text protocol, and calls within one text (the protocol inline).
//
// If a request has a response schema, a rule answers it from the data between the borders in the prompt. The
// schema's name selects the rule. docs/offline-model.md describes all rules.
package offline
