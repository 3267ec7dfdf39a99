package gate

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

const (
	targetPower   = 0.8
	dropPrecision = 0.001

	// A drop is given up as too small or large enough once the interval of its power
	// excludes the target, which is looked at now and then.
	lookEvery = 256
	lookLevel = 0.9999
)

// smallestDrop finds the MDE by bisection. The draws of a run are the same for every drop,
// so that two drops differ by their traces alone and not by luck.
func smallestDrop(ctx context.Context, items []Rate, cfg SimConfig) (*float64, error) {
	if enough, err := powerful(ctx, items, cfg, 1); err != nil || !enough {
		return nil, err
	}
	low, high := 0.0, 1.0
	for high-low > dropPrecision {
		mid := (low + high) / 2
		enough, err := powerful(ctx, items, cfg, mid)
		if err != nil {
			return nil, err
		}
		if enough {
			high = mid
		} else {
			low = mid
		}
	}
	return &high, nil
}

// powerful reports whether a drop is found with the target power. Only a drop near the MDE
// takes all runs.
func powerful(ctx context.Context, items []Rate, cfg SimConfig, drop float64) (bool, error) {
	d := newDraws(items, cfg)
	found := 0
	for run := range cfg.Runs {
		if run%lookEvery == 0 {
			if ctx.Err() != nil {
				return false, fmt.Errorf("simulate gate: %w", context.Cause(ctx))
			}
			if low, high := stats.Wilson(found, run, lookLevel); low > targetPower || high < targetPower {
				return low > targetPower, nil
			}
		}
		if out, _ := d.run(run, Change{Drop: drop}); out.Decision == Regression || out.Decision == Drift {
			found++
		}
	}
	return float64(found) >= targetPower*float64(cfg.Runs), nil
}
