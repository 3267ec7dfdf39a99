// Package judging writes reports on how reliable judges are, and on golds that are probably wrong.
package judging
