package datasets

import (
	"fmt"
	"path/filepath"
)

// Format is a form in which a dataset is written down. All hold the same.
type Format string

// The formats.
const (
	YAML  Format = "yaml"  // a list of queries, see the package documentation
	JSONL Format = "jsonl" // one query object per line, with the keys of YAML
	CSV   Format = "csv"   // one query per row, the fields of the gold among the columns
	JSON  Format = "json"  // a list of query objects, or an object that holds one; is only read
	// Parquet has one query per row; is only read, and only by a concur built with the tag parquet.
	Parquet Format = "parquet"
)

// FormatOf returns the format that the extension of a file name stands for. The
// error lists the known ones.
func FormatOf(path string) (Format, error) {
	switch extension := filepath.Ext(path); extension {
	case ".yaml", ".yml":
		return YAML, nil
	case ".jsonl":
		return JSONL, nil
	case ".csv":
		return CSV, nil
	case ".json":
		return JSON, nil
	case ".parquet":
		return Parquet, nil
	default:
		return "", fmt.Errorf("the extension of %s is %q; datasets are .yaml, .yml, .jsonl, .csv, .json or .parquet files", path, extension)
	}
}
