// Package parquet reads Parquet files, if the program was built with the tag parquet. Without the tag, the library is
// not part of the program, and Rows returns an error that names the tag.
package parquet
