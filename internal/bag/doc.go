// Package bag counts equal values, so that the size of a sum depends on how many different values there are, and not on
// how many were added. All its sums can be merged, and do not depend on the order in which values were added.
package bag
