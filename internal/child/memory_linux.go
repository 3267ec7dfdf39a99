package child

import (
	"bytes"
	"errors"
	"os"
	"strconv"
)

// addressSpace returns the size in bytes of the address space of this process (man 5 proc, statm).
func addressSpace() (uint64, error) {
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(raw)
	if len(fields) == 0 {
		return 0, errors.New("/proc/self/statm is empty")
	}
	pages, err := strconv.ParseUint(string(fields[0]), 10, 64)
	return pages * uint64(os.Getpagesize()), err
}
