package corpus_test

import (
	"fmt"
	"testing/fstest"

	"github.com/seed-5817661a/concur/datasets/corpus"
)

func ExampleRead() {
	docs, err := corpus.Read(fstest.MapFS{
		"guide/vpn.md": {Data: []byte("# VPN access\n\nAsk the help desk for a key.\n")},
		"terms.csv":    {Data: []byte("term,meaning\nRefund,Money that is paid back.\n")},
	}, "docs", "docs")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range docs.Documents {
		fmt.Printf("%s: %s: %s\n", d.ID, d.Title, d.Text)
	}
	// Output:
	// guide/vpn.md: VPN access: Ask the help desk for a key.
	// terms.csv#refund: Refund: Money that is paid back.
}
