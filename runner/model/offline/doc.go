// Package offline is a model that needs neither network nor key: offline:reader, a
// retrieve-and-compute policy behind the Model interface. It is not a language model.
//
// Each call reads the conversation anew and decides the next turn as a pure function of
// messages, tool specifications, temperature and seed: it reads the question as one of a
// closed list of shapes (lookup, nested lookup, comparison, sum, difference, product,
// ratio, percentage, conversion), searches for what it lacks, at most three hops deep,
// ranks the spans of what came back by type, nearness and the weight of the question's
// words, and leaves all arithmetic to the calc tool. It cites what it used, abstains
// where nothing fits, and refuses a stated list of request kinds where its instructions
// speak of refusing. It holds tables of English, such as units, relations and question
// words, and no facts about the world.
//
// It speaks native tool calls and, where the system message shows the labels Thought and
// Final and the request offers no tools of its own, the text protocol: one action a turn.
//
// A request with a response schema is answered by rules, chosen by the schema's name
// alone: whether two short answers mean the same (concur_equivalence_v1), which candidate
// cites most documents (concur_pick_v1), how an answer stands to a reference
// (concur_correctness_v1), how an agent worked (concur_quality_v1). The rules read the
// data between the prompt's borders and nothing else; temperature and seed do not enter.
// docs/offline-model.md states them. They know spelling, notation and the definitions of
// units, and no aliases: "Kiev" and "Kyiv" are two names to them.
//
// Among close candidates it draws by softmax at the request's temperature, so traces of
// one question differ by seed and a seed repeats a trace byte for byte. Its tokens are
// words between white space.
//
// It may import runner/model.
package offline
