// Package upkeep examines, repairs and compresses run folders. Verify finds what is damaged, Repair keeps what is not, and
// Compress makes a complete run smaller.
package upkeep
