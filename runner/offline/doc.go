// Package offline is a model that needs neither network nor key: offline:reader, a retrieve-and-compute policy
// behind the Model interface. It is a fake for testing and demonstrating the harness, not a language model.
//
// Each call reads the whole conversation and decides the next turn as a pure function of messages, tools, tool
// choice, temperature and seed. If the planner divides a question, it follows the steps. A look-up searches in
// the question's own words and ranks the sentences of the results. It searches once more for names in the best
// of them, and takes the span of the wanted type nearest to the question's words. It leaves arithmetic to the
// calc tool. Among candidates it draws by softmax. The tables beside this file list the words that it knows;
// its only facts are the definitions of units in internal/value. It supports native tool calls and the text
// protocol.
//
// A request with a response schema is answered by rules over the data between the prompt's borders; the
// schema's name alone selects the rule. docs/offline-model.md describes all rules.
package offline
