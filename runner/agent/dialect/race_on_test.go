//go:build race

package dialect_test

// hostileLength is shorter where the race detector makes every step ten times dearer.
const hostileLength = 1 << 16
