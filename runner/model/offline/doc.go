// Package offline is a model that needs neither network nor key: offline:reader, a
// retrieve-and-compute policy behind the Model interface. It is a fake that shows everything
// else at work, not a language model.
//
// Each call reads the conversation anew and decides the next turn as a pure function of
// messages, tools, tool choice, temperature and seed. It searches in the question's own
// words, ranks the sentences of what came back by how much of the question they say,
// follows the names that the best of them bring up for one further hop, and takes the span
// of the wanted type that stands nearest to the question's words. Questions about two
// operands it looks up one by one and leaves to the calc tool, as all arithmetic. It cites
// what it used, abstains where nothing fits, and refuses the kinds of request that
// refusals.tsv lists where its instructions speak of refusing. Among candidates it draws by
// softmax at the request's temperature with its seed. Its tokens are words between white
// space. What words mean to it stands in the tables beside this file; it holds no facts
// but the definitions of units in internal/value.
//
// It speaks native tool calls and, where the system message shows the labels Thought and
// Final and the request offers no tools of its own, the text protocol: one action a turn.
//
// A request with a response schema is answered by rules, chosen by the schema's name
// alone: whether two short answers are equal (concur_equivalence_v1), which candidate cites
// most documents (concur_pick_v1), whether an answer matches a reference
// (concur_correctness_v1), whether the form of an agent's work is in order
// (concur_quality_v1). The rules read the data between the prompt's borders and nothing
// else; temperature and seed do not enter. docs/offline-model.md states them.
//
// It may import runner/model, datasets/answer, internal/value and internal/text.
package offline
