package bwrap

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/sandbox"
)

// Name is the name of this engine in configurations.
const Name = "bwrap"

// The remedies of failures that are found without bubblewrap's help.
const (
	installRemedy = "apt-get install bubblewrap (or your system's package of that name)"
	limitsRemedy  = "apt-get install util-linux (or your system's package with prlimit)"
)

// maxCause is the number of bytes of bubblewrap's message that an error shows.
const maxCause = 120

//go:embed failures.tsv
var failureTable string

// StartFailure explains why bubblewrap did not start a program. stderr is what it wrote.
func StartFailure(stderr string) error {
	text := strings.TrimSpace(strings.ToValidUTF8(stderr, ""))
	first, _, _ := strings.Cut(text, "\n")
	first = strings.TrimSpace(strings.TrimPrefix(first, "bwrap: "))
	first, _, _ = strings.Cut(first, ", likely ") // an explanation, which the remedy has too
	if len(first) > maxCause {
		first = strings.ToValidUTF8(first[:maxCause], "") + "…"
	}
	failure := &sandbox.StartError{Engine: Name, Cause: cmp.Or(first, "it ended without a message")}
	for line := range strings.Lines(failureTable) {
		message, remedy, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(line, "#") && strings.Contains(text, message) {
			failure.Remedy = remedy
			break
		}
	}
	return failure
}

// execError explains why bubblewrap could not be started at all. asRoot means that the user was to be changed.
func execError(err error, asRoot bool) error {
	failure := &sandbox.StartError{Engine: Name, Cause: err.Error()}
	if asRoot && errors.Is(err, os.ErrPermission) {
		failure.Cause = "root cannot become another user here: " + err.Error()
		failure.Remedy = "run concur as a plain user, or give its container the capabilities SETUID and SETGID"
	}
	return failure
}

// The oldest version that has --disable-userns; --size is older.
const oldestMajor, oldestMinor = 0, 8

// checkVersion reads what bubblewrap prints for --version, such as "bubblewrap 0.8.0".
func checkVersion(printed string) error {
	version := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(printed), "bubblewrap"))
	numbers := strings.Split(version, ".")
	var major, minor int
	var err error
	if len(numbers) < 2 {
		err = strconv.ErrSyntax
	} else if major, err = strconv.Atoi(numbers[0]); err == nil {
		minor, err = strconv.Atoi(numbers[1])
	}
	switch {
	case err != nil:
		return &sandbox.StartError{Engine: Name, Cause: fmt.Sprintf("its version is unknown: %.40q", printed),
			Remedy: fmt.Sprintf("install bubblewrap %d.%d or newer", oldestMajor, oldestMinor)}
	case major < oldestMajor || major == oldestMajor && minor < oldestMinor:
		return &sandbox.StartError{Engine: Name, Cause: "version " + version + " is too old: it lacks --disable-userns",
			Remedy: fmt.Sprintf("install bubblewrap %d.%d or newer", oldestMajor, oldestMinor)}
	}
	return nil
}
