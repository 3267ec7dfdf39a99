//go:build !race

package dialect_test

const hostileLength = 1 << 17
