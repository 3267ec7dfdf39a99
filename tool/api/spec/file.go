package spec

import (
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool/api/pick"
)

// File is a tool as its file describes it. It does not change after Read.
type File struct {
	// Description is shown to the model.
	Description string `yaml:"description"`
	// Evidence is the beginning of the ids of documents; "" for a tool without documents.
	Evidence   string     `yaml:"evidence"`
	Parameters Parameters `yaml:"parameters"`
	Settings   Settings   `yaml:"settings"`
	Auth       []Way      `yaml:"auth"`
	// Cookies says how long cookies are kept: CookiesCall, CookiesRun, or "" for no cookies.
	Cookies   string     `yaml:"cookies"`
	Pace      Pace       `yaml:"pace"`
	Requests  []Request  `yaml:"requests"` // 1 to MaxRequests
	Failures  []Failure  `yaml:"failures"`
	Message   *Query     `yaml:"message"`
	Documents *Documents `yaml:"documents"` // nil for a tool without evidence
	Object    *Query     `yaml:"object"`    // nil for a tool with evidence

	// Hash changes with everything in the file except comments and spaces.
	Hash string `yaml:"-"`

	Given strictyaml.Keys `yaml:",keys"` // the keys that the file has
}

// The values of File.Cookies.
const (
	CookiesCall = "call"
	CookiesRun  = "run"
)

// MaxRequests is the maximum number of requests of a tool.
const MaxRequests = 3

// Pace limits the requests to one host.
type Pace struct {
	Every  time.Duration `yaml:"every"`   // least time between two requests
	AtOnce int           `yaml:"at_once"` // at the same time
}

// Request is one of the requests that a call sends.
type Request struct {
	URL       URL         `yaml:"url"`
	Path      []Value     `yaml:"path"`
	Query     Fields      `yaml:"query"`
	Form      Fields      `yaml:"form"`
	Headers   Fields      `yaml:"headers"`
	JSON      *Value      `yaml:"json"`
	Method    string      `yaml:"method"` // GET, POST, PUT or PATCH; Read sets the default
	NoAuth    bool        `yaml:"no_auth"`
	Redirects bool        `yaml:"redirects"`
	OK        []int       `yaml:"ok"`
	Keep      *Keep       `yaml:"keep"`
	Pages     *Pages      `yaml:"pages"`
	Read      pick.Format `yaml:"read"`
	Failures  []Failure   `yaml:"failures"`
	Empty     *Query      `yaml:"empty"`

	At    strictyaml.Pos  `yaml:",pos"`
	Given strictyaml.Keys `yaml:",keys"`
}

// UnmarshalNode reads a request; redirects are followed unless it says otherwise.
func (r *Request) UnmarshalNode(n *yaml.Node) error {
	type plain Request
	p := plain{Redirects: true}
	err := strictyaml.DecodeNode(n, &p)
	*r = Request(p)
	return err
}

// HasBody reports whether the request has a body.
func (r *Request) HasBody() bool { return r.Form != nil || r.JSON != nil }

// Keep says how long the reply of a request is used for equal requests.
type Keep struct {
	For    time.Duration `yaml:"for"`
	Renew  []string      `yaml:"renew"` // kinds of failures after which a call is made again without kept replies
	Secret *Query        `yaml:"secret"`
}

// Pages says how further pages of a reply are requested.
type Pages struct {
	Next   *Query `yaml:"next"`
	AtMost int    `yaml:"at_most"`
}

// The limits of Pages.AtMost.
const (
	minPages = 2
	maxPages = 10
)

// Failure is a failure that replies can report.
type Failure struct {
	Status  Statuses  `yaml:"status"`
	When    *Query    `yaml:"when"`
	Kind    string    `yaml:"kind"`
	Message *Query    `yaml:"message"`
	Retry   []float64 `yaml:"retry"` // pauses in seconds
	Wait    *Query    `yaml:"wait"`

	Given strictyaml.Keys `yaml:",keys"`
}

// HasRetry reports whether the file says when such a request is sent again.
func (f *Failure) HasRetry() bool { _, given := f.Given["retry"]; return given }

// Documents says how a reply becomes documents.
type Documents struct {
	Each    *Query `yaml:"each"`
	ID      *Query `yaml:"id"`
	Title   *Query `yaml:"title"`
	Snippet *Query `yaml:"snippet"`
	Source  *Query `yaml:"source"`
	Score   *Query `yaml:"score"`
	Time    *Query `yaml:"time"`
	AtMost  *Query `yaml:"at_most"`
}
