package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/runner/store"
)

// defaultSpacing is how long after the run another session of the provider begins, where the gate asks for one by itself.
const defaultSpacing = 30 * time.Minute

// again is the command that asks the same question of the same run: never of latest, which will be another one.
func again(ctx *cli.Context, run *store.Run) string {
	words := []string{"concur", "gate", run.Dir}
	if runs, err := filepath.Abs(ctx.String(flagRunsDir)); err == nil && sameFile(runs, filepath.Dir(run.Dir)) {
		words[2] = run.Manifest.Run
	}
	names := ctx.LocalFlagNames()
	slices.Sort(names)
	for _, name := range names {
		switch value := ctx.Value(name).(type) {
		case bool:
			if value && !slices.Contains([]string{"wait", "no-confirm", flagQuiet, "explain"}, name) {
				words = append(words, "--"+name)
			}
		default:
			if !slices.Contains([]string{flagOut, flagFormat, "junit", "markdown", "simulations"}, name) {
				words = append(words, "--"+name, fmt.Sprint(value))
			}
		}
	}
	for i, word := range words {
		words[i] = store.ShellQuoted(word)
	}
	return strings.Join(words, " ")
}

// wait waits for another session of the provider, with a countdown.
func (g *gateService) wait(ctx context.Context, until time.Time) error {
	command := again(g.ctx, g.run)
	began := func(s os.Signal) {
		fmt.Fprintf(g.err, "concur: %s: the wait is over; `%s` goes on\n", s, command)
	}
	g.signals.began.Store(&began)
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-g.signals.drain:
			cancel()
		case <-waiting.Done():
		}
	}()
	stop := g.progress(g.ctx.Bool(flagQuiet)).Countdown("the gate waits for another session of the provider", until)
	defer stop()
	if err := confirm.Until(waiting, until); err != nil {
		return &exitError{exitInterrupted, errors.New("interrupted; `" + command + "` goes on")}
	}
	return nil
}
