// Package mysql reads databases on MySQL and MariaDB servers, for statements of an author who is not trusted.
//
// Before a statement runs, the server prepares it as a subquery. Its own parser thus accepts only queries: no SET,
// COMMIT, CALL or INTO OUTFILE. Then it runs in a read-only transaction with a time limit, on a connection of its own.
// Functions with effects outside the transaction are not stopped by this: the boundary is a user that may only read.
package mysql
