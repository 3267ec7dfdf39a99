package bwrap

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// Texts of bubblewrap, and a part of the remedy.
func TestRemedies(t *testing.T) {
	for text, remedy := range map[string]string{
		"bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user " +
			"namespaces. See <https://deb.li/bubblewrap>.": "sysctl kernel.unprivileged_userns_clone=1",
		"bwrap: No permissions to create new namespace":                                                            "--security-opt seccomp=unconfined",
		"bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)": "max_user_namespaces",
		"bwrap: setting up uid map: Operation not permitted":                                                       "--cap-add SYS_ADMIN",
		"bwrap: setting up uid map: Read-only file system":                                                         "systempaths=unconfined",
		"bwrap: setting up uid map: Permission denied":                                                             "AppArmor profile",
		"bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted":                                             "AppArmor profile",
		"bwrap: Unknown option --disable-userns":                                                                   "0.8 or newer",
		"bwrap: Can't find source path /root/x: Permission denied":                                                 "run concur as a plain user",
	} {
		err := StartFailure(text + "\n")
		if !strings.Contains(err.Error(), remedy) || !strings.HasPrefix(err.Error(), "sandbox bwrap: "+text[7:20]) {
			t.Errorf("%s: %v, want %s", text, err, remedy)
		}
	}
	if err := StartFailure("something else\nmore"); err.Error() != "sandbox bwrap: something else" {
		t.Error(err)
	}
}

func TestVersions(t *testing.T) {
	for printed, ok := range map[string]bool{"bubblewrap 0.8.0\n": true, "bubblewrap 0.10.1": true, "bubblewrap 1.0": true,
		"bubblewrap 0.7.9": false, "bubblewrap 0.4": false, "bubblewrap": false, "": false, "bubblewrap x.y": false} {
		if err := checkVersion(printed); (err == nil) != ok {
			t.Errorf("%q: %v", printed, err)
		}
	}
}

// Root in a container without capabilities cannot change its user.
func TestRootWithoutCapabilities(t *testing.T) {
	failed := &os.PathError{Op: "fork/exec", Path: "/usr/bin/bwrap", Err: syscall.EPERM}
	if err := execError(failed, true); !strings.Contains(err.Error(), "root cannot become another user here") ||
		!strings.HasSuffix(err.Error(), "capabilities SETUID and SETGID") {
		t.Error(err)
	}
	if err := execError(failed, false); err.Error() != "sandbox bwrap: fork/exec /usr/bin/bwrap: operation not permitted" {
		t.Error(err)
	}
}
