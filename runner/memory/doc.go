// Package memory stores facts about the people who ask an agent, as items in a JSONL file. A run never
// changes the file. Before the model's first turn, a Feature shows the model the items that fit the question,
// as documents memory_1, memory_2, … that it can cite.
//
// An item belongs to one owner and is never shown for another. If items supersede each other, only the newest
// counts.
package memory
