package datasets

import (
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// memorySuffix takes the place of the extension in the name of a dataset's memory file.
const memorySuffix = "-memory.jsonl"

// MemoryOf names the memory that a dataset brings: its own name for a built-in dataset that has
// one, QUERIES-memory.jsonl beside a file QUERIES.yaml; "" for a dataset without one.
func MemoryOf(nameOrPath string) string {
	if IsBuiltinMemory(nameOrPath) {
		return nameOrPath
	}
	if slices.Contains(Builtin(), nameOrPath) {
		return ""
	}
	unpacked := strings.TrimSuffix(nameOrPath, ".gz")
	if dot := strings.LastIndexByte(unpacked, '.'); dot > 0 {
		unpacked = unpacked[:dot]
	}
	if _, err := os.Stat(unpacked + memorySuffix); err != nil {
		return ""
	}
	return unpacked + memorySuffix
}

// IsBuiltinMemory reports whether a built-in dataset of this name brings a memory.
func IsBuiltinMemory(name string) bool {
	_, err := fs.Stat(builtin, builtinMemory(name))
	return err == nil
}

// OpenMemory opens the memory of a built-in dataset (see IsBuiltinMemory), and else the file.
func OpenMemory(nameOrPath string) (io.ReadCloser, error) {
	if IsBuiltinMemory(nameOrPath) {
		return builtin.Open(builtinMemory(nameOrPath))
	}
	return os.Open(nameOrPath)
}

func builtinMemory(name string) string { return "builtin/" + name + memorySuffix }
