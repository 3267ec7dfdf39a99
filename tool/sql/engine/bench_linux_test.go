package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// BenchmarkBesideDriver prints the median time of statements through the child and by the bare driver in the same
// process, and what the child adds.
func BenchmarkBesideDriver(b *testing.B) {
	file := shop(b)
	db := open(b, file)
	name := "file:" + strings.NewReplacer("#", "%23", "?", "%3f").Replace(file) + "?mode=ro&immutable=1"
	bare, err := sqlite3.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	for name, statement := range map[string]string{
		"small":     "SELECT name, sum(price) FROM customers JOIN orders ON customer = id GROUP BY 1",
		"1000 rows": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT x, 'row ' || x FROM n",
	} {
		b.Run(name, func(b *testing.B) {
			var child, driver []time.Duration
			for b.Loop() {
				begin := time.Now()
				if _, err := db.Query(context.Background(), statement, time.Minute); err != nil {
					b.Fatal(err)
				}
				child = append(child, time.Since(begin))
				begin = time.Now()
				if err := readAll(bare, statement); err != nil {
					b.Fatal(err)
				}
				driver = append(driver, time.Since(begin))
			}
			slices.Sort(child)
			slices.Sort(driver)
			for part, at := range map[string]int{"median": len(child) / 2, "best": 0} { // the best is what an idle machine needs
				through, alone := milliseconds(child[at]), milliseconds(driver[at])
				b.ReportMetric(through, "ms-child-"+part)
				b.ReportMetric(alone, "ms-driver-"+part)
				b.ReportMetric(through-alone, "ms-added-"+part)
				b.ReportMetric(through/alone, "ratio-"+part)
			}
		})
	}
}

func readAll(c *sqlite3.Conn, statement string) error {
	s, _, err := c.Prepare(statement)
	if err != nil {
		return err
	}
	defer s.Close()
	for s.Step() {
		for i := range s.ColumnCount() {
			_ = s.ColumnText(i)
		}
	}
	return s.Err()
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

// BenchmarkMemory prints the memory of the children while 32 statements run or wait: PSS, which has their part of the
// shared program, and what is theirs alone. The children conceal themselves, so only root can read this.
func BenchmarkMemory(b *testing.B) {
	const statements = 32
	if os.Getuid() != 0 {
		b.Skip("only root can read the memory of the children")
	}
	const endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT sum(n) FROM r"
	db := open(b, shop(b))
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		for range statements {
			all.Go(func() { _, _ = db.Query(ctx, endless, time.Minute) }) // it is cancelled
		}
		time.Sleep(3 * time.Second) // until the children have opened the file
		children := childrenOf(b)
		pss, private := 0, 0
		for _, pid := range children {
			pss += field(b, pid, "Pss:")
			private += field(b, pid, "Private_Dirty:") + field(b, pid, "Private_Clean:")
		}
		cancel()
		all.Wait()
		b.ReportMetric(float64(len(children)), "children")
		b.ReportMetric(float64(pss)/1024, "MiB-PSS")
		b.ReportMetric(float64(private)/1024, "MiB-private")
		b.ReportMetric(float64(private)/1024/float64(len(children)), "MiB-private/child")
	}
}

// childrenOf returns the numbers of the processes that this one started.
func childrenOf(b *testing.B) (out []string) {
	b.Helper()
	names, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		out = append(out, strings.Fields(string(raw))...)
	}
	return out
}

// field returns a field of a process's memory, in KiB.
func field(b *testing.B, pid, name string) int {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%s/smaps_rollup", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		if fields := strings.Fields(string(line)); len(fields) > 1 && fields[0] == name {
			n, err := strconv.Atoi(fields[1])
			if err != nil {
				b.Fatal(err)
			}
			return n
		}
	}
	b.Fatalf("process %s has no %s", pid, name)
	return 0
}
