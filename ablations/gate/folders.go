package gate

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
)

// Folder is a run folder that evidence is from, so that a sentence can say what to do.
type Folder struct {
	Name     string // "" where not known
	Ablation bool   // it is resumed by `concur ablate`
}

func folderOf(m store.Manifest) Folder { return Folder{m.Run, m.Ablation != ""} }

// retry is the command that runs lost traces again.
func (f Folder) retry() string {
	command, name := "run", f.Name
	if f.Ablation {
		command = "ablate"
	}
	if name == "" {
		name = "RUN"
	}
	return "`concur " + command + " --resume " + name + " --retry-failed`"
}

// retries are the commands for several folders.
func retries(folders []Folder) string {
	if len(folders) == 0 {
		return Folder{Name: "RUN-confirm"}.retry()
	}
	commands := make([]string, len(folders))
	for i, f := range folders {
		commands[i] = f.retry()
	}
	return strings.Join(commands, " and ")
}

// merged adds names to a sorted list.
func merged(to []string, names ...string) []string {
	to = append(slices.Clone(to), names...)
	slices.Sort(to)
	return slices.Compact(to)
}
