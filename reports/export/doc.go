// Package export writes a run in forms that other programs read: right traces as chats for
// fine-tuning, and every vote as a row of a sheet.
//
// It may import reports, runner/store, runner/trace, runner/model, consensus and judge.
package export
