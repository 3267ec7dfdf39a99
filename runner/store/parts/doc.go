// Package parts reads and writes a file of lines that is stored as compressed parts and a plain rest. The parts of
// trace.jsonl are trace.0001.jsonl.zst, trace.0002.jsonl.zst and so on, and trace.jsonl has the lines behind them. To
// a reader they are one file: every offset is one into the lines as they were written.
package parts
