package assemble

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/assemble/provider"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool/search"
	"github.com/seed-5817661a/concur/tool/sql"
)

// ProbeTimeout limits the time of each check.
const ProbeTimeout = 15 * time.Second

// ProbeSearch opens a search backend and requests one document from it. If a setting of the backend is missing,
// missing describes it. asked reports whether the request was sent. If network is false, no request leaves this
// machine.
func (a *Assembler) ProbeSearch(ctx context.Context, conf config.Configuration, name string,
	network bool) (missing string, asked bool, err error) {
	box := a.newToolbox(nil)
	s := box.newSearcher(conf)
	defer box.close()
	defer s.close()
	b, err := s.backend(ctx, name)
	if lacks, ok := errors.AsType[noKey](err); ok {
		return lacks.Error(), false, nil
	}
	if err != nil || !network && name != config.BackendCorpus {
		return "", false, err
	}
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	docs, err := b.Search(ctx, "Danube", 1)
	if err == nil && len(docs) == 0 && name != config.BackendCorpus { // a corpus may have no document about it
		err = errors.New("it found no document for Danube, the name of a river")
	}
	return "", true, err
}

// Database is a database on a server that a configuration declares as a tool.
type Database struct {
	Tool     string // its key, such as tools.sql
	Variable string // the variable with its address
	Set      bool   // the variable is set
	declared sql.Server
	environ  provider.Environ
}

// Databases lists the databases on servers that a configuration declares.
func (a *Assembler) Databases(conf config.Configuration) (out []Database) {
	for _, name := range slices.Sorted(maps.Keys(conf.Tools)) {
		declared, err := kinds.Read(name, conf.Tools[name], nil)
		if err != nil {
			continue // CheckTools reports it
		}
		if d, is := declared.(sql.Server); is && d.Variable() != "" {
			out = append(out, Database{"tools." + name, d.Variable(), a.Variable(d.Variable()) != "", d, a.Variable})
		}
	}
	return out
}

// Probe logs in to the database. It returns the server's place and version, and what the role may change: nothing if
// it may only read.
func (d Database) Probe(ctx context.Context) (about string, rights []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	access, err := d.declared.Probe(ctx, d.environ)
	return access.Place + ", " + access.Version, access.Rights, err
}

// SearchNeeds returns the search backends that a configuration needs. alone has those that a tool uses without
// an alternative. cascade has those that web_search tries one after another.
func (a *Assembler) SearchNeeds(conf config.Configuration) (alone map[string]bool, cascade []string) {
	alone = map[string]bool{}
	tools := conf.Effective().Agent.Tools
	for _, k := range a.tools {
		if k.backend != "" && slices.Contains(tools, k.name) {
			alone[k.backend] = true
		}
	}
	if slices.Contains(tools, search.Name) {
		cascade = conf.Search.Cascade
	}
	if len(cascade) == 1 {
		alone[cascade[0]] = true
	}
	return alone, cascade
}

// Key is a variable of the environment that holds a key.
type Key struct {
	Variable string
	Use      string // its purpose
	Set      bool
}

// Keys lists the keys that models and search backends may need.
func (a *Assembler) Keys() []Key {
	var keys []Key
	for _, name := range endpoints.Names() {
		if e, known := endpoints.Lookup(name); known && len(e.Auth.Env) > 0 {
			keys = append(keys, Key{Variable: e.Auth.Env[0], Use: "models of " + name + ":"})
		}
	}
	for _, vendor := range serperVendors {
		keys = append(keys, Key{Variable: vendor.key, Use: "search.vendor " + vendor.name})
	}
	for i := range keys {
		keys[i].Set = a.Variable(keys[i].Variable) != ""
	}
	return keys
}
