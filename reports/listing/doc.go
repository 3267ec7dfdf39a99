// Package listing writes lists of runs and of checks of a configuration.
package listing
