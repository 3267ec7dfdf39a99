// Package sql lets a model read a database with SQL: an SQLite file, CSV or Parquet files, or a database on a
// server. A user declares it as a tool, `tools: {sql: {database: shop.db}}`.
//
// The agent under test writes the statements, so it is the attacker: it must not change the database, write or read
// other files, or use up time and memory. The engine of package engine, a process of its own, holds these limits.
package sql
