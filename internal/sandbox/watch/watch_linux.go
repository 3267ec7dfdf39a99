package watch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// freshness is the age up to which watchers of different sandboxes share one reading of /proc.
const freshness = 20 * time.Millisecond

// table has the parent of each process of the machine. All watchers share it.
var table struct {
	sync.Mutex
	read     time.Time
	children map[int][]int
}

// Descendants returns the processes below a process, without itself. A process of a PID namespace stays below the
// first process of the namespace, because that adopts the orphans.
func Descendants(root int) ([]int, error) {
	children, err := readTable()
	if err != nil {
		return nil, err
	}
	var out []int
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		below := children[queue[0]]
		out = append(out, below...)
		queue = append(queue, below...)
	}
	return out, nil
}

// readTable returns the children of each process. Callers must not change the map.
func readTable() (map[int][]int, error) {
	table.Lock()
	defer table.Unlock()
	if table.children != nil && time.Since(table.read) < freshness {
		return table.children, nil
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	buffer := make([]byte, 512)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if parent, ok := parentOf(name, buffer); ok {
				children[parent] = append(children[parent], pid)
			}
		}
	}
	table.read, table.children = time.Now(), children
	return children, nil
}

// parentOf reads the parent of a process from /proc/PID/stat (man 5 proc). ok is false if the process has ended.
func parentOf(pid string, buffer []byte) (parent int, ok bool) {
	file, err := os.Open("/proc/" + pid + "/stat")
	if err != nil {
		return 0, false
	}
	defer file.Close()
	n, err := file.Read(buffer)
	end := bytes.LastIndexByte(buffer[:n], ')') // the name before it can have blanks and brackets
	if err != nil || end < 0 {
		return 0, false
	}
	fields := bytes.Fields(buffer[end+1 : n])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return parent, err == nil
}

// Memory returns the bytes of memory of processes together. Pages that they share count once if the sum of their
// resident pages, which is faster to read, is above enough. A process that has ended counts 0.
func Memory(pids []int, enough int64) int64 {
	var sum int64
	for _, pid := range pids {
		sum += residentOf(pid)
	}
	if sum <= enough || len(pids) < 2 {
		return sum
	}
	sum = 0
	for _, pid := range pids {
		sum += proportionalOf(pid)
	}
	return sum
}

// residentOf returns the bytes of resident pages of a process (man 5 proc, statm).
func residentOf(pid int) int64 {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	fields := bytes.Fields(raw)
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// proportionalOf returns the bytes of a process, in which a page that n processes share counts 1/n (man 5 proc,
// smaps_rollup).
func proportionalOf(pid int) int64 {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "smaps_rollup"))
	if err != nil {
		return residentOf(pid)
	}
	for line := range strings.Lines(string(raw)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "Pss:" {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			if err == nil {
				return kilobytes << 10
			}
		}
	}
	return 0
}

// Files returns the number of files and folders in a file system of its own that a process sees at path; 0 if it
// still sees that of this process there, because its sandbox is not ready. Such a file system bounds the bytes of its
// files but not their number, and each costs the kernel about 1 KB.
func Files(pid int, path string) (int64, error) {
	var stat syscall.Statfs_t
	var seen, own syscall.Stat_t
	theirs := fmt.Sprintf("/proc/%d/root%s", pid, path)
	err := syscall.Statfs(theirs, &stat)
	if err == nil {
		err = syscall.Stat(theirs, &seen)
	}
	if err != nil {
		return 0, fmt.Errorf("count the files in %s: %w", theirs, err)
	}
	if syscall.Stat(path, &own) == nil && own.Dev == seen.Dev {
		return 0, nil
	}
	return int64(stat.Files - stat.Ffree), nil
}
