// Package parts reads and writes a file of lines that is stored as compressed parts and a plain rest. For
// trace.jsonl, the parts are trace.0001.jsonl.zst, trace.0002.jsonl.zst and so on, and the rest, with the last
// lines, is trace.jsonl. A reader sees them as one file: offsets count the bytes of all lines, uncompressed.
package parts
