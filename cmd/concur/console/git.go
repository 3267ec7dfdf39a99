package console

import (
	"cmp"
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/config"
)

// GitCommit returns the commit of the working directory; nil outside a git repository.
func GitCommit(ctx context.Context) *string {
	if sha, err := gitOutput(ctx, "rev-parse", "HEAD"); err == nil {
		return &sha
	}
	return nil
}

// gitOutput runs git with only the variables that it needs, because a hook or a configured program could read
// keys.
func gitOutput(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	git := exec.CommandContext(ctx, "git", args...)
	needs := append(config.AgentEnv(), "XDG_CONFIG_HOME", "SUDO_UID", "GIT_DIR", "GIT_WORK_TREE",
		"GIT_CEILING_DIRECTORIES",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL")
	git.Env = slices.DeleteFunc(git.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !slices.Contains(needs, name)
	})
	raw, err := git.Output()
	return strings.TrimSpace(string(raw)), err
}

// Author returns the name of the user who labels an answer or changes a baseline, from the variables of the CI or from
// git.
func (c *Console) Author(ctx context.Context) string {
	ident, _ := gitOutput(ctx, "var", "GIT_AUTHOR_IDENT") // name <address> time zone
	name, _, found := strings.Cut(ident, "> ")
	if found {
		name += ">"
	}
	return cmp.Or(c.Environ("GITHUB_ACTOR"), c.Environ("GITLAB_USER_LOGIN"), name, c.Environ("USER"),
		c.Environ("USERNAME"), "unknown")
}
