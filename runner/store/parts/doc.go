// Package parts reads and writes a file of lines that is stored as compressed parts and a plain rest. The
// parts of trace.jsonl are trace.0001.jsonl.zst, trace.0002.jsonl.zst and so on; trace.jsonl has the later
// lines. To a reader they are one file: offsets count the bytes of all lines, uncompressed.
package parts
