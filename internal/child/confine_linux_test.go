package child_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seed-5817661a/concur/internal/child"
)

// confined is what a confined child finds.
type confined struct {
	UID, Groups, Dumpable, NewPrivileges int
	Limits                               []uint64 // files, size of files, seconds
	Error                                string   // of opening a file
}

func init() {
	child.Main("confined", func(struct{}) (func(struct{}) any, error) {
		if err := errors.Join(child.Confine(64<<20, 4), child.LimitCPU(3*time.Second)); err != nil {
			return nil, err
		}
		return func(struct{}) any {
			c := confined{UID: os.Getuid()}
			groups, _ := os.Getgroups()
			c.Groups = len(slices.DeleteFunc(groups, func(g int) bool { return g == os.Getgid() }))
			c.Dumpable, _ = unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
			c.NewPrivileges, _ = unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
			for _, resource := range []int{unix.RLIMIT_NOFILE, unix.RLIMIT_FSIZE, unix.RLIMIT_CPU} {
				var l unix.Rlimit
				_ = unix.Getrlimit(resource, &l)
				c.Limits = append(c.Limits, l.Max)
			}
			for range 5 {
				if _, err := os.Open("/"); err != nil {
					c.Error = err.Error()
				}
			}
			return c
		}, nil
	})
}

// The attacker has broken out of the interpreter of a confined child: it is not root, and can open nothing.
func TestConfined(t *testing.T) {
	p, err := child.NewSinglePool("confined", struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var c confined
	if err := p.Ask(context.Background(), struct{}{}, &c, long); err != nil {
		t.Fatal(err)
	}
	if c.UID == 0 || os.Getuid() == 0 && c.Groups > 0 || c.Dumpable != 0 || c.NewPrivileges != 1 ||
		c.Limits[0] != 4 || c.Limits[1] != 0 || c.Limits[2] < 3 || c.Limits[2] > 60 || c.Error == "" {
		t.Errorf("%+v", c)
	}
}
