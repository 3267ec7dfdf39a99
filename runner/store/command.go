package store

import "strings"

// ResumeCommand is what a user types to go on with a run, or with an ablation.
func ResumeCommand(dir string, m Manifest) string {
	command := "run"
	switch {
	case m.RejudgeOf != "":
		command = "rejudge"
	case m.Ablation != "":
		command = "ablate"
	}
	return "concur " + command + " --resume " + ShellQuoted(dir)
}

// ShellQuoted is a word as a shell reads it.
func ShellQuoted(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("/._-+,=@%", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
