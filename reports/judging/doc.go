// Package judging writes how reliable judges are, and which golds are probably wrong.
package judging
