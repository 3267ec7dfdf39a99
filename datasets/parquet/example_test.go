//go:build parquet

package parquet_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/datasets/parquet"
)

func ExampleRows() {
	file, err := os.Open("../testdata/pyarrow.parquet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	err = parquet.Rows(file, func(number int, row []byte) error {
		fmt.Printf("%d %s\n", number, row)
		return nil
	})
	fmt.Println(err)
	// Output:
	// 1 {"answers":{"answer_start":[1,2],"text":["5","five"]},"ok":true,"outcome":null,"question":"How many?","x":1.5}
	// 2 {"answers":{"answer_start":[],"text":[]},"ok":false,"outcome":"abstained","question":"Who?","x":2.25}
	// <nil>
}
