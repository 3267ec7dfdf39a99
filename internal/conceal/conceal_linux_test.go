package conceal_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-5817661a/concur/internal/conceal"
)

const marked = "a-value-that-others-must-not-see-0123456789"

// The test binary is also the process that conceals itself, and says what it still finds.
func TestMain(m *testing.M) {
	if os.Getenv("CONCEAL_CORE") != "" {
		child()
		os.Exit(0)
	}
	if os.Getenv("CONCEAL_DESCRIPTORS") != "" {
		err := conceal.Process()
		shown, listErr := exec.Command("/bin/ls", "/proc/self/fd").Output()
		fmt.Println(err, listErr, strings.Fields(string(shown)))
		os.Exit(0)
	}
	if os.Getenv("CONCEAL_TEST") == "" {
		os.Exit(m.Run())
	}
	args := strings.Join(os.Args, " ")
	err := conceal.Process()
	raw, _ := os.ReadFile("/proc/self/environ") // closed, or zeros
	namespaces := exec.Command("/bin/true")
	namespaces.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER, UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
	}
	shown, _ := exec.Command("/bin/cat", "/proc/self/environ").Output()
	fmt.Println("error:", err)
	fmt.Println("closed:", conceal.Closed())
	fmt.Println("variable:", os.Getenv("CONCEAL_TEST"))
	fmt.Println("listed:", strings.Contains(strings.Join(os.Environ(), "\n"), "CONCEAL_TEST="+marked))
	fmt.Println("arguments kept:", args == strings.Join(os.Args, " "))
	fmt.Println("kernel shows it:", strings.Contains(string(raw), marked))
	fmt.Println("a child gets it:", strings.Contains(string(shown), marked))
	fmt.Println("namespaces fail:", os.Getuid() == 0 || namespaces.Run() != nil)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until its parent has looked
	os.Exit(0)
}

// TestProcess starts a process that conceals itself, and reads it as a program of the same user can.
func TestProcess(t *testing.T) {
	child := exec.Command(os.Args[0], "an argument")
	child.Env = []string{"CONCEAL_TEST=" + marked, "OTHER=1"}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	want := "error: <nil>\nclosed: true\nvariable: " + marked + "\nlisted: true\narguments kept: true\nkernel shows it: false\n" +
		"a child gets it: true\nnamespaces fail: true\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(out, got); err != nil || string(got) != want {
		t.Errorf("%v:\n%s\nwant\n%s", err, got, want)
	}
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", child.Process.Pid))
	if strings.Contains(string(raw), marked) {
		t.Errorf("its parent reads its environment: %q, %v", raw, err)
	}
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child.Process.Pid))
	if err != nil || !strings.Contains(string(cmdline), "an argument") {
		t.Errorf("its command line is lost: %q, %v", cmdline, err)
	}
	in.Close()
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

// A descriptor that a process inherits is not passed on to the programs that it starts.
func TestInheritedDescriptors(t *testing.T) {
	open, err := os.Open("/etc/hostname")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	child := exec.Command(os.Args[0])
	child.Env, child.ExtraFiles = []string{"CONCEAL_DESCRIPTORS=1"}, []*os.File{open, open, open}
	out, err := child.CombinedOutput()
	// ls has the standard streams, and opens the list itself.
	if want := "<nil> <nil> [0 1 2 3]\n"; err != nil || string(out) != want {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
}
