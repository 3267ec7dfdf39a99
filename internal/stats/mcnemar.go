package stats

// PairedTest is a form of McNemar's test. The zero value is the default of
// methods.md §5.4.
type PairedTest uint8

// The two-sided forms test for any change, the others for losses. Exact never exceeds its
// level; mid-p exceeds it rarely and slightly, and has more power.
const (
	MidP PairedTest = iota
	Exact
	MidPLoss
	ExactLoss
)

func (t PairedTest) valid() bool { return t <= ExactLoss }

// twoSided reports whether gains count against the null hypothesis too.
func (t PairedTest) twoSided() bool { return t == MidP || t == Exact }

// McNemar returns the p-value for two configurations on the same items: loss items that
// only the baseline had right, gain items that only the new one has right. Items that
// both have right, or both wrong, are not used. With X ~ Bin(loss+gain, 1/2), m = min(loss, gain):
//
//	Exact     min(1, 2·P(X <= m))
//	MidP      2·(P(X < m) + P(X = m)/2), 1 where loss = gain
//	ExactLoss P(X >= loss)
//	MidPLoss  P(X > loss) + P(X = loss)/2
//
// With loss = gain = 0 p is 1 (mid-p of a loss: 1/2). ok is false for a negative count,
// a sum above 10^7 or an unknown test.
//
// Source: M. W. Fagerland et al., BMC Med. Res. Methodol. 13:91 (2013); methods.md §5.4.
func McNemar(loss, gain int, test PairedTest) (p float64, ok bool) {
	if loss < 0 || gain < 0 || loss > maxCount || gain > maxCount-loss || !test.valid() {
		return 0, false
	}
	m := gain
	if test.twoSided() {
		m = min(loss, gain)
	}
	return test.p(m, loss+gain), true
}

// p is the p-value of m discordant pairs of n against the loss; a two-sided test gets the
// smaller side.
func (t PairedTest) p(m, n int) float64 {
	if t.twoSided() && 2*m == n {
		return 1
	}
	below, at := halfTail(m, n)
	switch t {
	case MidP:
		return min(1, 2*below+at)
	case Exact:
		return min(1, 2*(below+at))
	case MidPLoss:
		return min(1, below+at/2)
	default:
		return min(1, below+at)
	}
}
