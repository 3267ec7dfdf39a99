package tests_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs no test under -short: the programs run in processes of their own, in which the race detector sees
// nothing.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		return
	}
	os.Exit(m.Run())
}
