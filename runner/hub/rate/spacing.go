package rate

import "time"

// Limits are those of one endpoint, for the whole run.
type Limits struct {
	RPM int // requests in any minute; 0 means no limit
	TPM int // tokens of text in any minute; 0 means no limit
}

// border is the number of requests by which a minute may exceed 62 s of evenly spaced ones: one because it may begin
// just before a request, and one for each of six changes of the coordinator, each of which can add one.
const border = 7

// withoutRequests is the time between two tokens if only text is limited.
const withoutRequests = 500 * time.Millisecond

// Spacing returns the time between two tokens: 62 s / (RPM − 7), and below 70 requests a minute 68 s / RPM. Requests
// are sent up to a second after their token was made, so the numbers are larger than 60 s.
func (l Limits) Spacing() time.Duration {
	switch {
	case l.RPM == 0:
		return withoutRequests
	case l.RPM < 70:
		return 68 * time.Second / time.Duration(l.RPM)
	}
	return 62 * time.Second / time.Duration(l.RPM-border)
}

// text returns the tokens of text that come with each token; 0 means any number.
func (l Limits) text() int {
	if l.TPM == 0 {
		return 0
	}
	return max(1, int(float64(l.TPM)/60*l.Spacing().Seconds()))
}
