package gate

// Needs says which fresh traces are still to be run before Decide can decide. They come in
// turns: confirmations and safety traces first, and a second full pass where these leave
// only an alarm of Test A. So the caller runs what is needed, fills in Fresh or Replica,
// and asks again until the need is empty. A safety query that failed or a threshold that was
// missed does not end it: people need to know what broke. Fresh traces that were lost are
// not asked for twice. Under NoConfirm nothing is needed.
func Needs(e Evidence, o Options) Need {
	if o.NoConfirm {
		return newNeed()
	}
	return Decide(e, o).Need
}

func newNeed() Need { return Need{Confirm: []Ask{}, Safety: []Ask{}} }

// with joins two needs: of a query that both ask for, the larger number.
func (n Need) with(m Need) Need {
	return Need{
		Confirm:   joined(n.Confirm, m.Confirm),
		Safety:    joined(n.Safety, m.Safety),
		Replicate: n.Replicate || m.Replicate,
	}
}

func joined(a, b []Ask) []Ask {
	out := append([]Ask{}, a...)
	for _, ask := range b {
		known := false
		for i := range a {
			if a[i].Query == ask.Query {
				out[i].Traces, known = max(out[i].Traces, ask.Traces), true
			}
		}
		if !known {
			out = append(out, ask)
		}
	}
	return out
}
