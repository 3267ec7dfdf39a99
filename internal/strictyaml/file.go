package strictyaml

import (
	"fmt"
	"io"
	"os"
)

// ReadFile reads a whole file for Decode. Of a file that is too large it reads
// one byte more than MaxBytes, which Decode refuses.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // names the operation and the file
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("read %s: is a directory, not a YAML file", path)
	}
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}
