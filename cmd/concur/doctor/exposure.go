package doctor

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/seed-5817661a/concur/internal/conceal"
	"github.com/seed-5817661a/concur/reports/listing"
)

// Exposure describes the places in which programs of the same user, such as agents and servers, may find keys.
type Exposure struct {
	Keys   map[string]string // values by the names of their variables
	Proc   string            // the folder of processes; "" means /proc
	Parent int               // the process that started concur
	Folder string            // the working folder of concur
	Failed error             // the error of hiding concur's memory and environment from others; nil if hidden
}

// maxAbove is the maximum number of parent processes, and of parent folders, that are checked.
const maxAbove = 32

// maxShown is the maximum number of bytes that are read of an environment or an .env file.
const maxShown = 4 << 20

// Exposed adds a check for concur itself, and one for each parent process and each .env file that shows a key.
// The latter do not fail, because only the user knows whether the programs that concur starts can be trusted.
func (d *Examination) Exposed(e Exposure) {
	if len(e.Keys) == 0 {
		return
	}
	own := listing.Check{What: "exposure", Name: "concur", State: listing.Works}
	own.Detail = "other programs of this user cannot read its keys"
	if e.Failed != nil {
		own.State, own.Detail, own.Mend = listing.Fails, e.Failed.Error(), "run agents and servers as another user"
	} else if !conceal.Closed() {
		own.State, own.Detail = listing.Exposed, "other programs of this user may read its keys on "+runtime.GOOS
		own.Mend = "run agents and servers as another user"
	}
	d.Checks = append(d.Checks, own)
	proc := e.Proc
	if proc == "" {
		proc = "/proc"
	}
	for pid, n := e.Parent, 0; pid > 1 && n < maxAbove; n++ {
		raw, _ := readSome(filepath.Join(proc, fmt.Sprint(pid), "environ")) // only readable for the user of the process
		name, parent, ok := statusOf(filepath.Join(proc, fmt.Sprint(pid), "stat"))
		d.shows(fmt.Sprintf("process %d (%s)", pid, name), e.in(bytes.Split(raw, []byte{0})),
			"remove the key there: set it only in the command line of concur, or run agents as another user")
		if !ok {
			break
		}
		pid = parent
	}
	for at, n := e.Folder, 0; at != "" && n < maxAbove; n++ {
		for _, name := range []string{".env", ".env.local", ".envrc"} {
			raw, err := readSome(filepath.Join(at, name))
			if err == nil {
				d.shows(filepath.Join(at, name), e.in(bytes.Split(raw, []byte{'\n'})),
					"keep it where agents cannot read it, or run agents as another user")
			}
		}
		above := filepath.Dir(at)
		if above == at {
			break
		}
		at = above
	}
}

// shows adds a check of a place that shows keys.
func (d *Examination) shows(place string, keys []string, mend string) {
	if len(keys) > 0 {
		d.Checks = append(d.Checks, listing.Check{
			What: "exposure", Name: place, State: listing.Exposed, Mend: mend,
			Detail: "programs of this user can read " + strings.Join(keys, ", ") + " there",
		})
	}
}

// in returns the names of the keys whose values are in assignments.
func (e Exposure) in(assignments [][]byte) []string {
	var out []string
	seen := map[string]bool{}
	for _, line := range assignments {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(line)), "export "), "=")
		name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)
		for _, key := range e.Keys {
			if ok && value != "" && value == key && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// readSome reads the beginning of a regular file.
func readSome(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxShown))
}

// statusOf returns the program and the parent of a process.
func statusOf(path string) (name string, parent int, ok bool) {
	raw, err := os.ReadFile(path)
	begin, end := bytes.IndexByte(raw, '('), bytes.LastIndexByte(raw, ')')
	if err != nil || begin < 0 || end < begin {
		return "?", 0, false
	}
	var state string
	_, err = fmt.Sscan(string(raw[end+1:]), &state, &parent)
	return string(raw[begin+1 : end]), parent, err == nil
}
