// Package offline is a model that needs neither network nor key: offline:reader, a retrieve-and-compute policy behind
// the Model interface. It is a fake that shows everything else at work, not a language model.
//
// Each call reads the whole conversation and decides the next turn as a pure function of messages, tools, tool
// choice, temperature and seed. Where the planner divides a question it follows the steps. A look-up searches in the
// question's own words, ranks the sentences of what came back, follows the names that the best of them bring up for
// one further hop, and takes the span of the wanted type nearest to the question's words. It leaves arithmetic to the
// calc tool. Among candidates it draws by softmax. The tables beside this file list the words that it knows; its only
// facts are the definitions of units in internal/value. It speaks native tool calls and the text protocol.
//
// A request with a response schema is answered by rules over the data between the prompt's
// borders, chosen by the schema's name alone. docs/offline-model.md states them all.
package offline
