package doctor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/cmd/concur/doctor"
)

// TestExposed looks at processes and files of a folder in place of this machine's.
func TestExposed(t *testing.T) {
	const key = "4fJ8sK2mQ9xT7vB3"
	proc, home := t.TempDir(), t.TempDir()
	work := filepath.Join(home, "project", "evals")
	write := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for pid, p := range map[int]struct {
		parent        int
		name, environ string
	}{30: {20, "make", "PATH=/bin\x00"}, 20: {10, "a (b) sh", "PATH=/bin\x00OPENAI_API_KEY=" + key + "\x00"}, 10: {1, "sshd", "OTHER=1\x00"}, 5: {1, "aside", "K=" + key + "\x00"}} {
		dir := filepath.Join(proc, fmt.Sprint(pid))
		write(filepath.Join(dir, "stat"), fmt.Sprintf("%d (%s) S %d 1 1 0", pid, p.name, p.parent))
		write(filepath.Join(dir, "environ"), p.environ)
	}
	write(filepath.Join(home, "project", ".env"), "# keys\nexport MY_KEY=\""+key+"\"\nOTHER=2\n")
	write(filepath.Join(work, ".env"), "OPENAI_API_KEY=another\n")
	e := doctor.Exposure{Keys: map[string]string{"OPENAI_API_KEY": key, "GROQ_API_KEY": "unused-key-0"}, Proc: proc, Parent: 30, Folder: work, Failed: errors.New("prctl failed")}
	var d doctor.Examination
	d.Exposed(e)
	var got []string
	for _, c := range d.Checks {
		got = append(got, fmt.Sprintf("%s %s: %s", c.Name, c.State, c.Detail))
		if c.What != "exposure" || c.Mend == "" || c.Needed || strings.Contains(fmt.Sprint(c), key) {
			t.Errorf("%+v", c)
		}
	}
	want := []string{
		"concur fails: prctl failed",
		"process 20 (a (b) sh) exposed: programs of this user can read OPENAI_API_KEY there",
		filepath.Join(home, "project", ".env") + " exposed: programs of this user can read MY_KEY there",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || d.Failed() {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	d = doctor.Examination{}
	if d.Exposed(doctor.Exposure{Proc: proc, Parent: 30, Folder: work}); len(d.Checks) != 0 {
		t.Errorf("without a key: %+v", d.Checks)
	}
}
