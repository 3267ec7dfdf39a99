// Package sqltest starts database servers for tests: PostgreSQL and MariaDB, each with its data in a temporary folder
// and on the loopback interface only. Tests are skipped where the programs are not installed.
package sqltest
