package rank

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Embedder turns texts into vectors, one for each text, in order. All its vectors have the same number of
// dimensions.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Cached keeps vectors in files, so that each text is embedded only once.
type Cached struct {
	Inner Embedder
	// Name identifies the source of the vectors: endpoint and model.
	Name string
	Dir  string // folder of the files; created if needed
}

// Embed asks Inner for the texts whose vectors are not in Dir. A damaged file is written again.
func (c Cached) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	var places []int
	for i, t := range texts {
		if out[i] = readVector(c.path(t)); out[i] == nil {
			missing, places = append(missing, t), append(places, i)
		}
	}
	for some := range slices.Chunk(missing, keptTogether) { // if a request fails, those before it are kept
		found, err := c.Inner.Embed(ctx, some)
		if err != nil {
			return nil, err
		}
		if len(found) != len(some) {
			return nil, fmt.Errorf("embed %d texts with %s: it gave %d vectors", len(some), c.Name, len(found))
		}
		for i, v := range found {
			out[places[i]] = v
			if err := c.write(some[i], v); err != nil {
				return nil, fmt.Errorf("keep vectors: %w", err)
			}
		}
		places = places[len(some):]
	}
	return out, nil
}

// keptTogether is the number of texts that are asked for, and then kept, at a time.
const keptTogether = 1024

func (c Cached) path(text string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %s", c.Name, text))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:]))
}

// readVector reads a file that write wrote; nil if it has no complete vector.
func readVector(path string) []float32 {
	raw, err := os.ReadFile(path)
	v := make([]float32, len(raw)/4)
	if n, wrong := binary.Decode(raw, binary.LittleEndian, v); err != nil || wrong != nil || n == 0 || n != len(raw) {
		return nil
	}
	return v
}

// write keeps a vector.
func (c Cached) write(text string, v []float32) error {
	data, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		return err
	}
	return replaceFile(c.path(text), data)
}
