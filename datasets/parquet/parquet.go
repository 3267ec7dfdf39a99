//go:build parquet

package parquet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// Rows calls each for every row of a Parquet file, with its number, counted from 1, and the row as a JSON object. It
// returns the first error of each. The library panics on some damaged files; Rows returns such a panic as an error.
func Rows(r io.Reader, each func(number int, row []byte) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the Parquet file is damaged: %v; copy it again", p)
		}
	}()
	file, ok := r.(*os.File)
	if !ok {
		return errors.New("a Parquet file cannot be read from a stream, because reading begins at its end: name the file")
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	opened, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return fmt.Errorf("not a Parquet file, or cut off: %w; copy the file again", err)
	}
	rows := parquet.NewReader(opened)
	defer rows.Close()
	for number := 1; ; number++ {
		row := map[string]any{}
		if err := rows.Read(&row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("row %d: %w; copy the file again", number, err)
		}
		raw, err := json.Marshal(row)
		if err != nil {
			return fmt.Errorf("row %d: %w", number, err)
		}
		if err := each(number, raw); err != nil {
			return err
		}
	}
}
