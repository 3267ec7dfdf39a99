// Package planning writes reports that come before a run: its forecast, and the size that finds a drop.
package planning
