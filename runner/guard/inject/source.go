package inject

// Source is where a scanned text came from. The same words weigh differently: a
// user may give instructions and may quote an attack; a tool's output has nothing to
// order at all.
type Source int

const (
	Query      Source = iota // written by the user, or by the agent itself
	ToolOutput               // returned by a tool: search hits, pages, results
)

// Severity says how much a Finding matters, given where the text came from.
//
//	             something found   flagged
//	Query        info              warn
//	ToolOutput   warn              error
//
// Invisible characters alone are info from either.
type Severity string

const (
	None  Severity = "" // nothing found
	Info  Severity = "info"
	Warn  Severity = "warn"
	Error Severity = "error"
)

// severity grades a finding whose hits and score are known.
func (s Source) severity(f Finding) Severity {
	switch {
	case f.Flagged && s == ToolOutput:
		return Error
	case f.Flagged, len(f.Hits) > 0 && s == ToolOutput:
		return Warn
	case len(f.Hits) > 0, f.Invisible > manyInvisible:
		return Info
	}
	return None
}
