// Package postgres reads databases on PostgreSQL servers, for statements of an author who is not trusted.
//
// A statement is the query of a cursor, so that PostgreSQL's own parser accepts only statements that return rows: no
// SET, COMMIT, COPY, DO, CALL or PREPARE. It runs in a read-only transaction with a time limit, which is rolled back,
// and the session is reset after it. Functions with effects outside the transaction are not stopped by this: the
// boundary is a role that may only read.
package postgres
