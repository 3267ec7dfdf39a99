//go:build !parquet

package parquet

import (
	"errors"
	"io"
)

// Rows returns an error: this program was built without the tag parquet.
func Rows(io.Reader, func(number int, row []byte) error) error {
	return errors.New("this program was built without Parquet: build it with -tags parquet, or write the file as " +
		"JSONL, such as with pandas: read_parquet(…).to_json(…, orient=\"records\", lines=True)")
}
