// Package engine reads SQLite databases in a child process, for statements of an author who is not trusted.
//
// Three limits hold. First, an authoriser allows only to select, to read tables and to call listed functions, and
// SQLite must report that the statement is read-only: each of the two refuses statements that the other allows
// (VACUUM INTO passes the authoriser, ATTACH and PRAGMA count as read-only). Second, limits of SQLite bound memory,
// texts and depth. Third, the parent kills the child after the time of a statement, because one call of a function
// such as instr cannot be interrupted, and the driver panics when it has no memory.
package engine
