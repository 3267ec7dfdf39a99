// Package memory is what an agent remembers of the people who ask it: items in a JSONL file,
// which a run never changes, and the source that gives those that fit a question to the model
// before its first turn, as documents memory_1, memory_2, … that it can cite.
//
// An item belongs to one owner and is never given to another. Of items that supersede each other
// only the newest counts.
package memory
