// Package figures formats numbers for reports: rates, differences, p-values, durations, amounts and counts.
package figures
