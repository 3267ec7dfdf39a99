package store

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

const (
	indexFile = "index.view"
	// indexHeader is the first line. The rest is savedIndex in gob, and its checksum: as JSON, the
	// index of 100,000 traces takes a second to read.
	indexHeader = `{"schema":"concur/index/v2"}` + "\n"
	// maxIndex bounds the memory that a file from somebody else can take.
	maxIndex = 1 << 28
)

// savedIndex is what index.view holds. It has no maps: gob makes one as large as a file says.
type savedIndex struct {
	Files     [len(jsonl)]stamp
	Records   []RecordAt
	Traces    []*tracePlaces
	Exchanges []*exchangePlaces
	Settings  []settingsAt
}

// settingsAt is the first exchange that has the settings of a name.
type settingsAt struct {
	Name   string
	Offset int64
}

// stamp is the size of a file and the time of its last change, in nanoseconds.
type stamp struct{ Size, Changed int64 }

func stampOf(info os.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

// load takes over index.view, unless it is damaged or the files are no longer as they were.
func (x *Index) load() {
	file, err := openPlain(filepath.Join(x.dir, indexFile))
	if err != nil {
		return
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxIndex))
	if err != nil || len(raw) < len(indexHeader)+crc32.Size {
		return
	}
	body, sum := raw[:len(raw)-crc32.Size], raw[len(raw)-crc32.Size:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return
	}
	if body, ours := bytes.CutPrefix(body, []byte(indexHeader)); ours {
		x.take(body)
	}
}

// take reads what Save wrote; of other files, or of anything else, the index stays empty.
func (x *Index) take(body []byte) {
	var saved savedIndex
	if gob.NewDecoder(bytes.NewReader(body)).Decode(&saved) != nil {
		return
	}
	var infos [len(jsonl)]os.FileInfo
	for f := range jsonl {
		info, err := os.Lstat(filepath.Join(x.dir, jsonl[f].name))
		if err != nil || stampOf(info) != saved.Files[f] {
			return
		}
		infos[f] = info
	}
	for i, at := range saved.Records {
		x.recordOf[recordKey{at.Configuration, at.Query}] = i
	}
	x.records = saved.Records
	for _, t := range saved.Traces {
		x.traces[t.ID.Query] = append(x.traces[t.ID.Query], t)
	}
	for _, e := range saved.Exchanges {
		x.exchanges[e.Of.Query] = append(x.exchanges[e.Of.Query], e)
	}
	for _, at := range saved.Settings {
		x.settings[at.Name] = at.Offset
	}
	for f, info := range infos {
		x.parts[f].info, x.parts[f].end = info, info.Size()
	}
}

// Save writes the index beside the files that it is of, unless one of them was not read to its
// end. It fails where the folder cannot be written; the index can still be used.
func (x *Index) Save() error {
	var saved savedIndex
	for f := range x.parts {
		p := &x.parts[f]
		p.RLock()
		defer p.RUnlock()
		if p.info == nil || p.info.Size() != p.end {
			return fmt.Errorf("save index: %s was not read to its end", jsonl[f].name)
		}
		saved.Files[f] = stampOf(p.info)
	}
	saved.Records = x.records
	saved.Traces = slices.Concat(slices.Collect(maps.Values(x.traces))...)
	saved.Exchanges = slices.Concat(slices.Collect(maps.Values(x.exchanges))...)
	for name, offset := range x.settings {
		saved.Settings = append(saved.Settings, settingsAt{name, offset})
	}
	out := bytes.NewBufferString(indexHeader)
	if err := gob.NewEncoder(out).Encode(saved); err != nil {
		return fmt.Errorf("save index: %w", err)
	}
	sum := crc32.Checksum(out.Bytes(), castagnoli)
	return WriteFile(filepath.Join(x.dir, indexFile), binary.LittleEndian.AppendUint32(out.Bytes(), sum))
}
