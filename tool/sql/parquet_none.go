//go:build !parquet

package sql

import (
	"errors"
	"hash"
	"io"

	"github.com/seed-5817661a/concur/tool/sql/engine"
)

func readParquet(io.Reader, hash.Hash, *engine.Table) error {
	return errors.New("this program was built without Parquet: build it with -tags parquet, or write the table as CSV, " +
		"such as with pandas: read_parquet(…).to_csv(…, index=False)")
}
