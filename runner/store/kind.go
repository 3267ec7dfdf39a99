package store

// Kind describes how a run was made.
type Kind string

const (
	KindRun      Kind = "run"
	KindShard    Kind = "shard" // a shard of a run or an ablation
	KindAblation Kind = "ablation"
	KindAsk      Kind = "ask"     // a session of questions
	KindReplay   Kind = "replay"  // a replay of a recording
	KindImport   Kind = "import"  // an import of traces that another harness made
	KindRejudge  Kind = "rejudge" // a run that judged the traces of another run again
	KindFresh    Kind = "fresh"   // fresh traces of another run's agent, for the gate
)

// AskDataset is the dataset name of a session of questions. Such a session has no dataset file.
const AskDataset = "ask"

// Kind returns the kind of a run, from its manifest.
func (m Manifest) Kind() Kind {
	switch {
	case m.FreshOf != "":
		return KindFresh
	case m.RejudgeOf != "":
		return KindRejudge
	case m.ReplayOf != "":
		return KindReplay
	case m.Dataset.Name == AskDataset && m.Dataset.Source == "":
		return KindAsk
	case len(m.Configurations) > 0 && m.Configurations[0].Configuration.Agent.External.Imported != "":
		return KindImport
	case m.Dataset.Shard != nil:
		return KindShard
	case m.Ablation != "":
		return KindAblation
	}
	return KindRun
}
