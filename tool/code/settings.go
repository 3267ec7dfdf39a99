package code

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/choose"
	"github.com/seed-5817661a/concur/internal/sandbox/container"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool"
)

// Version changes when the same program could give another result.
const Version = "code/v1"

// Kind is the kind of tool that is declared as tools.NAME.languages.
var Kind = tool.Kind{Key: "languages", Read: read}

// Settings are the settings of the tool.
type Settings struct {
	// Languages are the languages of programs: python, javascript.
	Languages []string `yaml:"languages"`
	// Sandbox chooses what confines the programs.
	Sandbox Sandbox `yaml:"sandbox"`
	// Images are the container images of docker and podman by language. They must be there already.
	Images map[string]string `yaml:"images"`
	// About is added to the description for the model.
	About string `yaml:"about"`
	// Timeout limits the time of a program, 100 ms to 10 minutes; a shorter limit of a tool's call holds too.
	Timeout time.Duration `yaml:"timeout"`
	// Memory is what a program may use beyond its interpreter, 16 MiB to 8 GiB.
	Memory Size `yaml:"memory"`
	// Processes is the most processes and threads at the same time, 1 to 4,096.
	Processes int `yaml:"processes"`
	// Output ends a program that writes more to standard output, or to standard error: 1 KiB to 1 MiB.
	Output Size `yaml:"output"`
	// Files is the most that a program may store in files, 64 KiB to 1 GiB.
	Files Size `yaml:"files"`
	// MaxBytes limits what the model sees of the result, of standard output and of standard error, each: 256 bytes to
	// 256 KiB.
	MaxBytes int `yaml:"max_bytes"`
}

// defaults returns the settings that a declaration need not give.
func defaults() Settings {
	l := sandbox.Defaults()
	return Settings{Sandbox: Sandbox{Name: choose.Auto}, Timeout: l.Time, Memory: Size(l.Memory), Processes: l.Processes,
		Output: Size(l.Output), Files: Size(l.Files), MaxBytes: 16 << 10}
}

// limits returns the limits of a job.
func (s Settings) limits() sandbox.Limits {
	return sandbox.Limits{Time: s.Timeout, Memory: int64(s.Memory), Processes: s.Processes, Output: int64(s.Output),
		Files: int64(s.Files)}
}

// Sandbox chooses an engine: in YAML a name, or an object with a command.
type Sandbox struct {
	Name    string
	Command []string // of the user's, for the name command
}

// UnmarshalNode reads a name or an object with the key command.
func (s *Sandbox) UnmarshalNode(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*s = Sandbox{Name: n.Value}
		return nil
	}
	var object struct {
		Command []string `yaml:"command"`
	}
	if err := strictyaml.DecodeNode(n, &object); err != nil {
		return err
	}
	*s = Sandbox{Name: container.Command, Command: object.Command}
	return nil
}

// UnmarshalYAML does the same as UnmarshalNode.
func (s *Sandbox) UnmarshalYAML(n *yaml.Node) error { return s.UnmarshalNode(n) }

func read(name string, decode func(any) error) (tool.Declared, error) {
	s := defaults()
	if err := decode(&s); err != nil {
		return Declared{name: name, Settings: s}, err
	}
	var wrong []error
	refuse := func(is bool, format string, values ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(format, values...))
		}
	}
	refuse(len(s.Languages) == 0, "languages is empty: give %s, %s or both", sandbox.Python, sandbox.JavaScript)
	for i, l := range s.Languages {
		refuse(l != sandbox.Python && l != sandbox.JavaScript, "languages: %q is not supported: give %s or %s", l,
			sandbox.Python, sandbox.JavaScript)
		refuse(slices.Contains(s.Languages[:i], l), "languages: %s is twice in the list: give it once", l)
	}
	names := engineNames()
	switch {
	case s.Sandbox.isCommand():
		refuse(len(s.Sandbox.Command) == 0 || strings.TrimSpace(s.Sandbox.Command[0]) == "",
			"sandbox.command is empty: give a program and its arguments")
	case !slices.Contains(names, s.Sandbox.Name):
		refuse(true, "sandbox: %q is not one of %s, or an object with a command", s.Sandbox.Name, strings.Join(names, ", "))
	}
	refuse(s.Sandbox.Name == quickjs.Name && slices.Contains(s.Languages, sandbox.Python),
		"sandbox: quickjs runs only JavaScript: give auto, or leave python out of languages")
	for language, image := range s.Images {
		refuse(!slices.Contains(s.Languages, language), "images: %s is not in languages: add it, or leave the image out",
			language)
		refuse(strings.TrimSpace(image) == "" || strings.HasPrefix(image, "-"), "images.%s: %q is no image", language, image)
	}
	between := func(key string, value, least, most Size) {
		refuse(value < least || value > most, "%s is %s: give %s to %s", key, value, least, most)
	}
	refuse(s.Timeout < 100*time.Millisecond || s.Timeout > 10*time.Minute, "timeout is %v: give 100ms to 10m", s.Timeout)
	between("memory", s.Memory, 16<<20, 8<<30)
	refuse(s.Processes < 1 || s.Processes > 4096, "processes is %d: give 1 to 4096", s.Processes)
	between("output", s.Output, 1<<10, 1<<20)
	between("files", s.Files, 64<<10, 1<<30)
	refuse(s.MaxBytes < 256 || s.MaxBytes > 256<<10, "max_bytes is %d: give 256 to 262144", s.MaxBytes)
	return Declared{name: name, Settings: s}, errors.Join(wrong...)
}
