package stats

// Point is what K = k would give, as means over the items that have at least k traces.
// A nil figure is undefined.
type Point struct {
	K int
	// Items have k traces; Dropped have fewer, and are never padded. Points with different
	// Items speak of different items.
	Items, Dropped int

	PassAtK   *float64 // at least one right
	PassHatK  *float64 // all right
	MajAtK    *float64 // the vote right
	Unanimous *float64 // all the same answer; nil at k = 1
	// RightIfUnanimous is how often a unanimous answer is right: Σ U_right / Σ U over
	// items; nil where no subset is unanimous.
	RightIfUnanimous *float64
}

// KCurve returns the points k = 1..most, each the mean over all subsets of k traces of
// every item: no trace is run again, and none is preferred for its index. The traces
// must not come from a stopping rule that looks at answers (methods.md §3.4). ok is
// false for most < 1, negative counts, an item with more than 256 traces or unknown Ties.
//
// Source: methods.md §4.
func KCurve(items []Item, most int, v Vote) ([]Point, bool) {
	if most < 1 || most > maxTraces || v.Ties > WinTies {
		return nil, false
	}
	for _, it := range items {
		if !it.valid() {
			return nil, false
		}
	}
	points := make([]Point, most)
	for i := range points {
		points[i] = pointOf(items, i+1, v)
	}
	return points, true
}

func pointOf(items []Item, k int, v Vote) Point {
	p := Point{K: k}
	var at, hat, maj, same, right float64
	for _, it := range items {
		n := it.Traces()
		if n < k {
			p.Dropped++
			continue
		}
		p.Items++
		at += 1 - allOf(n, n-it.Right(), k)
		hat += allOf(n, it.Right(), k)
		m, _ := it.MajAtK(k, v)
		maj += m
		u, _ := it.Unanimity(k)
		same += u
		r, _ := it.UnanimouslyRight(k)
		right += r
	}
	p.PassAtK, p.PassHatK, p.MajAtK = ratio(at, p.Items), ratio(hat, p.Items), ratio(maj, p.Items)
	if k > 1 {
		p.Unanimous = ratio(same, p.Items)
	}
	if same > 0 {
		share := min(1, right/same)
		p.RightIfUnanimous = &share
	}
	return p
}

// ratio is nil of nothing.
func ratio(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	r := sum / float64(n)
	return &r
}
