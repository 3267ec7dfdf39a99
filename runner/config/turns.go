package config

// Turns has the settings for queries that continue a conversation. What has its default value is
// not written, so that older hashes remain valid.
type Turns struct {
	// Condense rewrites the question to stand alone, instead of passing the conversation on.
	Condense Condense `yaml:"condense,omitempty"`
}

// Condense says when a question is rewritten.
type Condense = Mode

// Values of Condense.
const (
	CondenseOff  Condense = "off"
	CondenseOn   Condense = "on"
	CondenseAuto Condense = "auto" // of a conversation of more than three messages, the question among them
)

const autoMessages = 3

// Condenses says whether a question behind so many earlier messages is rewritten.
func (t Turns) Condenses(history int) bool {
	return history > 0 && (t.Condense == CondenseOn || t.Condense == CondenseAuto && history+1 > autoMessages)
}
