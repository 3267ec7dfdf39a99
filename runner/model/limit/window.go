package limit

import "time"

// span is the period of the limits per minute.
const span = time.Minute

// window counts the charges of the last minute. It is exact, unlike a bucket that refills: no
// interval of a minute has more than max, and a run below the limit is not slowed. Its owner
// has the lock.
type window struct {
	max     int // 0 means no limit
	charges []*charge
	sum     int
}

// charge is an amount that counts for a minute.
type charge struct {
	at     time.Time
	amount int
}

// wait is the time until n more fit. More than the whole limit waits for an empty minute.
func (w *window) wait(now time.Time, n int) time.Duration {
	if w.max <= 0 {
		return 0
	}
	w.expire(now)
	over := w.sum + min(n, w.max) - w.max
	for _, c := range w.charges {
		if over <= 0 {
			break
		}
		if over -= c.amount; over <= 0 {
			return c.at.Add(span).Sub(now)
		}
	}
	return 0
}

// add counts n from now on.
func (w *window) add(now time.Time, n int) *charge {
	c := &charge{at: now, amount: n}
	if w.max > 0 {
		w.charges = append(w.charges, c)
		w.sum += n
	}
	return c
}

// correct sets the true amount of a charge, unless it has expired.
func (w *window) correct(now time.Time, c *charge, n int) {
	w.expire(now)
	if w.max > 0 && now.Sub(c.at) < span {
		w.sum += n - c.amount
		c.amount = n
	}
}

func (w *window) expire(now time.Time) {
	gone := 0
	for gone < len(w.charges) && now.Sub(w.charges[gone].at) >= span {
		w.sum -= w.charges[gone].amount
		w.charges[gone] = nil
		gone++
	}
	w.charges = w.charges[gone:]
}
