package rank

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Embedder turns texts into vectors, one for each text, in their order. All of its vectors have
// the same number of dimensions.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Cached keeps vectors in files, so that a text is embedded once.
type Cached struct {
	Inner Embedder
	// Name is what the vectors depend on beside the text: endpoint and model.
	Name string
	Dir  string // is made when needed
}

// Embed asks Inner for the texts of which Dir has no vector. A file that is damaged is written again.
func (c Cached) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	var places []int
	for i, t := range texts {
		if out[i] = readVector(c.path(t)); out[i] == nil {
			missing, places = append(missing, t), append(places, i)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	found, err := c.Inner.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	if len(found) != len(missing) {
		return nil, fmt.Errorf("embed %d texts with %s: it gave %d vectors", len(missing), c.Name, len(found))
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("keep vectors: %w", err)
	}
	for i, v := range found {
		out[places[i]] = v
		if err := c.write(missing[i], v); err != nil {
			return nil, fmt.Errorf("keep vectors: %w", err)
		}
	}
	return out, nil
}

func (c Cached) path(text string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %s", c.Name, text))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:]))
}

// readVector reads what write wrote; nil if there is no whole vector.
func readVector(path string) []float32 {
	raw, err := os.ReadFile(path)
	v := make([]float32, len(raw)/4)
	if n, wrong := binary.Decode(raw, binary.LittleEndian, v); err != nil || wrong != nil || n == 0 || n != len(raw) {
		return nil
	}
	return v
}

// write replaces a file as a whole, because other processes may read it.
func (c Cached) write(text string, v []float32) error {
	f, err := os.CreateTemp(c.Dir, "vector-*")
	if err != nil {
		return err
	}
	err = binary.Write(f, binary.LittleEndian, v)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.path(text))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
