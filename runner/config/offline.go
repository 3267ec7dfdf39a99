package config

import "strings"

// OfflineProvider is the provider of the models that need neither key nor network.
const OfflineProvider = "offline"

// IsOffline reports whether a model, as it is named in a configuration, is of that provider.
func IsOffline(spec string) bool { return strings.HasPrefix(spec, OfflineProvider+":") }

// Completed fills in what depends on the agent's model and is not named. With an offline
// model, web_search searches the corpus, and its rule-based judges judge, which cost nothing,
// so that every stage is seen at work; other models search the web and have no judges. A
// judge named none is no judge.
func (c Configuration) Completed() Configuration {
	for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
		switch {
		case *spec == NoModel:
			*spec = ""
		case *spec == "" && IsOffline(c.Model):
			*spec = SameModel
		}
	}
	switch {
	case len(c.Search.Cascade) > 0:
	case IsOffline(c.Model):
		c.Search.Cascade = []string{BackendCorpus}
	default:
		c.Search.Cascade = []string{BackendSerper, BackendBaidu, BackendWikipedia}
	}
	return c
}

// VerifierModel is the model that verifies or picks; "" where no stage asks one.
func (c Configuration) VerifierModel() string {
	for _, s := range c.Consensus.Stages {
		if s == StageVerifier || s == StagePick {
			return c.Verifier.Model
		}
	}
	return ""
}
