// Package memory stores facts about the people who ask an agent, as items in a JSONL file, which a run never
// changes. Before the model's first turn, a Source shows it the items that fit the question, as documents
// memory_1, memory_2, … that it can cite.
//
// An item belongs to one owner and is never shown to another. Of items that supersede each other only the
// newest counts.
package memory
