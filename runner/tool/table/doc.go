// Package table is tools made of small tables that a dataset brings: an entry goes in, the value of its row comes
// out. They need no network, so that anyone can ship tasks with tools of their own.
//
// It may import runner/tool and what that rests on.
package table
