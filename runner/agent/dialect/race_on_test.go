//go:build race

package dialect_test

// hostileLength is shorter with the race detector, which makes every step ten times slower.
const hostileLength = 1 << 16
