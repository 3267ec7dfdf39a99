// Package attacked renders the figures of a run of attacks as tables for a terminal and for Markdown.
package attacked
