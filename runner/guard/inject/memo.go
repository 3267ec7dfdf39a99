package inject

import (
	"crypto/sha256"
	"strconv"
	"sync"
)

// Memo remembers the findings of scans: the traces of a run are shown the same pages again and again. The zero value
// is ready, a nil Memo scans each time, and several goroutines may use one.
type Memo struct {
	lock  sync.Mutex
	found map[[sha256.Size]byte]Finding
}

// maxRemembered is the number of findings above which a Memo starts again.
const maxRemembered = 4096

// Scan is [Scan], once for each text and source.
func (m *Memo) Scan(text string, from Source) Finding {
	if m == nil {
		return Scan(text, from)
	}
	key := sha256.Sum256([]byte(strconv.Itoa(int(from)) + text))
	m.lock.Lock()
	finding, known := m.found[key]
	m.lock.Unlock()
	if known {
		return finding
	}
	finding = Scan(text, from)
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.found == nil || len(m.found) >= maxRemembered {
		m.found = map[[sha256.Size]byte]Finding{}
	}
	m.found[key] = finding
	return finding
}
