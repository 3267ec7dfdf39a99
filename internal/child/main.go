package child

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-5817661a/concur/internal/conceal"
)

// variable is the environment variable that makes a process a child. Its value is the name of the work.
const variable = "CONCUR_CHILD"

// maxLine is the maximum size in bytes of a question and of an answer, without the end of the line.
const maxLine = 8 << 20

// Main does nothing in a process that is no child for the work called name. In a child it calls begin once with the
// setup that NewPool got, then answers questions until the parent ends or closes the child, and exits. begin returns
// the function that answers one question. An answer is JSON. Call Main in an init function.
func Main[Setup, Question any](name string, begin func(Setup) (func(Question) any, error)) {
	if os.Getenv(variable) != name {
		return
	}
	if err := serve(os.Stdin, os.Stdout, begin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// memoryStatus is the exit status of a child that has no memory left.
const memoryStatus = 3

// EndForMemory ends a child whose work has no memory left. cause is what the work reported.
func EndForMemory(cause any) {
	fmt.Fprintln(os.Stderr, cause)
	os.Exit(memoryStatus)
}

// greeting is the first line of a child. Error is "" if the child can answer questions.
type greeting struct {
	Error string `json:"error"`
}

func serve[Setup, Question any](in io.Reader, out io.Writer, begin func(Setup) (func(Question) any, error)) error {
	if err := conceal.Process(); err != nil {
		return err
	}
	questions := bufio.NewReader(in)
	var setup Setup
	if err := readJSON(questions, &setup); err != nil {
		return err
	}
	answer, err := begin(setup)
	if err != nil {
		return writeJSON(out, greeting{err.Error()})
	}
	if err := writeJSON(out, greeting{}); err != nil {
		return err
	}
	for {
		var q Question
		switch err := readJSON(questions, &q); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := writeJSON(out, answer(q)); err != nil {
			return err
		}
	}
}

func readJSON(r *bufio.Reader, into any) error {
	line, err := readLine(r)
	if err != nil {
		return err
	}
	return json.Unmarshal(line, into)
}

func writeJSON(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// readLine reads a line of at most maxLine bytes. The error is io.EOF only if there is no line.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// Program does nothing in a process that is no child for the work called name. In a child it calls run with the
// arguments of the command line, and exits with its result; run uses the standard streams itself. The child is started
// by the caller, with the environment variable that ProgramVariable returns. Call Program in an init function.
func Program(name string, run func(args, environment []string) int) {
	if os.Getenv(variable) != name {
		return
	}
	if err := os.Unsetenv(variable); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(run(os.Args[1:], os.Environ()))
}

// ProgramVariable returns the environment variable, as NAME=value, that makes a process a child for Program.
func ProgramVariable(name string) string { return variable + "=" + name }

// Executable returns a name for the file of the running program that a process of this machine can start. It also
// works after the file was replaced by another version.
func Executable() (string, error) { return executable() }
