// Package kb searches a knowledge base: a folder of Markdown, text, HTML, CSV or JSONL files, which a user declares
// as a tool.
package kb
