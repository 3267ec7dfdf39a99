package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// folder names the folder with further traces of the run, beside it.
func (g *gating) folder(kind string, number int) string {
	return folderOf(g.run.Manifest, g.configuration.Name, kind, number)
}

func folderOf(m store.Manifest, configuration, kind string, number int) string {
	name := m.Run + "-" + kind + ofConfiguration(m, configuration)
	if number > 1 {
		name = fmt.Sprintf("%s-%d", name, number)
	}
	return name
}

// confirmed reads the folders with fresh traces that there are, and finishes one that was
// stopped.
func (g *gating) confirmed(ctx *cli.Context, signals *listener) ([]gate.RunPass, error) {
	g.confirm = nil
	numbers, err := g.numbers(kindConfirm)
	if err != nil {
		return nil, err
	}
	var passes []gate.RunPass
	seen := map[traceAt]bool{}
	for _, i := range numbers {
		name := g.folder(kindConfirm, i)
		p, err := g.fresh(ctx, signals, kindConfirm, name, seen)
		if err != nil {
			return nil, err
		}
		g.confirm, passes = append(g.confirm, name), append(passes, p)
	}
	return passes, nil
}

// numbers are those of the folders of a kind that there are, ascending. One before them may
// be gone.
func (g *gating) numbers(kind string) ([]int, error) {
	entries, err := os.ReadDir(filepath.Dir(g.run.Dir))
	if err != nil {
		return nil, usagef("gate run %s: %w", g.run.Manifest.Run, err)
	}
	var out []int
	plain := g.folder(kind, 1)
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), plain)
		if !ok {
			continue
		}
		n := 1
		if rest != "" {
			if n, err = strconv.Atoi(strings.TrimPrefix(rest, "-")); err != nil {
				continue
			}
		}
		if g.folder(kind, n) == e.Name() {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

// next is the number of a new folder of fresh traces.
func (g *gating) next(kind string) (int, error) {
	numbers, err := g.numbers(kind)
	if err != nil || len(numbers) == 0 {
		return 1, err
	}
	return numbers[len(numbers)-1] + 1, nil
}

// further is whose traces the folders beside the run must hold.
func (g *gating) further() further { return further{g.run, g.configuration, g.data} }

// fresh reads a folder of fresh traces, finishing it where it was stopped. It is an
// fs.ErrNotExist where there is none.
func (g *gating) fresh(ctx *cli.Context, signals *listener, kind, name string, seen map[traceAt]bool) (gate.RunPass, error) {
	dir := filepath.Join(filepath.Dir(g.run.Dir), name)
	if _, err := os.Stat(dir); err != nil {
		return gate.RunPass{}, err
	}
	f := g.further()
	run, err := store.Open(dir)
	if err != nil {
		if _, none := os.Stat(filepath.Join(dir, "run.yaml")); errors.Is(none, fs.ErrNotExist) { // it may be about to come
			err = fmt.Errorf("%w; where another gate is at work on this run, wait for that instead", err)
		}
		return gate.RunPass{}, f.refuse(dir, err)
	}
	if err := f.manifest(kind, run); err != nil {
		return gate.RunPass{}, f.refuse(dir, err)
	}
	if run.Manifest.State != store.Complete && !g.options.NoConfirm {
		if err := g.finish(ctx, signals, run); err != nil {
			return gate.RunPass{}, err
		}
		if run, err = store.Open(dir); err != nil {
			return gate.RunPass{}, f.refuse(dir, err)
		}
	}
	g.opens(run)
	p, err := gate.ReadPass(run, g.configuration.Name)
	if err == nil {
		err = f.records(p, seen)
	}
	if err != nil {
		return p, f.refuse(dir, err)
	}
	return p, nil
}
