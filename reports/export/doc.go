// Package export writes a run in forms that other programs read: right traces as chats for
// fine-tuning, every vote as a row of a sheet, and a configuration as a log of Inspect AI.
package export
