//go:build !parquet

package datasets

import (
	"errors"
	"io"
)

func (l *loader) parquet(io.Reader) error {
	return errors.New("this program was built without Parquet: build it with -tags parquet, or write the file as " +
		"JSONL, such as with pandas: read_parquet(…).to_json(…, orient=\"records\", lines=True)")
}
