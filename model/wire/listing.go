package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/model"
)

// listingTimeout limits each request for the list of models, because a run waits for it.
const listingTimeout = 3 * time.Second

// maxNamed is the maximum number of models that an error names.
const maxNamed = 8

// listing caches the advice from the endpoint's list of models. The list is requested once, after the first
// refusal that may be caused by the model's name or the address.
type listing struct {
	once   sync.Once
	advice string // "" if the list explains nothing
}

// explain adds advice to a refusal that may be caused by the model's name or the address. The advice has the
// names in the endpoint's list of models, or the base URL at which there is such a list. Other errors are
// unchanged, and also errors of an endpoint without a readable list.
func (p *Peer) explain(ctx context.Context, api API, err error) error {
	e, refused := errors.AsType[*model.Error](err)
	if !refused {
		return err
	}
	f, is := e.Err.(failure)
	if !is || !f.doubtsModel {
		return err
	}
	p.listing.once.Do(func() { p.listing.advice = p.compareListing(ctx, api) })
	if p.listing.advice != "" {
		f.advice = p.listing.advice
		e.Err = f
	}
	return e
}

// compareListing requests the list of models, and returns advice about the model's name and the base URL; ""
// if the list does not help.
func (p *Peer) compareListing(ctx context.Context, api API) string {
	if names := p.models(ctx, p.Base, api.Models); len(names) > 0 {
		if slices.Contains(names, p.Model) {
			return ""
		}
		return p.nameModels(names)
	}
	moved := *p.Base
	if base, hasVersion := strings.CutSuffix(strings.TrimSuffix(p.Base.Path, "/"), "/v1"); hasVersion {
		moved.Path = base
	} else {
		moved.Path = base + "/v1"
	}
	names := p.models(ctx, &moved, api.Models)
	if len(names) == 0 {
		return ""
	}
	advice := fmt.Sprintf("models are listed at %s: give it as %s", p.Key.Hide(moved.String()),
		p.Endpoint.AddressHint())
	if !slices.Contains(names, p.Model) {
		advice += ", and " + p.nameModels(names)
	}
	return advice
}

// nameModels says that the endpoint does not list the model, and names the listed models, the most similar
// first.
func (p *Peer) nameModels(names []string) string {
	near := strictyaml.Nearest(p.Model, names)
	more := ""
	if n := len(near) - maxNamed; n > 0 {
		near, more = near[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	for i, name := range near {
		near[i] = p.Quote(name)
	}
	return fmt.Sprintf("the endpoint lists no model %q, but %s%s", p.Model, strings.Join(near, ", "), more)
}

// models returns the names of an endpoint's models; nil if it has no list.
func (p *Peer) models(ctx context.Context, base *url.URL, path []string) []string {
	ctx, cancel := context.WithTimeout(ctx, listingTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath(path...).String(), nil)
	if err != nil {
		return nil
	}
	p.setHeader(req.Header, false)
	resp, err := p.through.Do(req)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	body, err := p.ReadWhole(ctx, resp.Body)
	if err != nil {
		return nil
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil {
		return nil
	}
	var names []string
	for _, m := range list.Data {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	return names
}

// doubtsModel reports whether a refusal may be caused by the model's name or the address: it has status 404,
// or its message is about the model.
func doubtsModel(s Stated) bool {
	switch s.Status {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return strings.Contains(strings.ToLower(s.Message), "model")
	}
	return false
}
