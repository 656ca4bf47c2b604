// Package proposalapi has the operations on proposals, their changes, reviews and
// comments, and on notifications. Package proposals does the work. Start with
// [Operations].
package proposalapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Operations are the operations on proposals.
type Operations struct {
	Service *proposals.Service
	Pages   *pages.Service // renders proposed pages
}

const noProposal = "There is no such proposal."

func proposalPath(r *rest.Request) (octavo.ID, error) {
	return r.PathID("proposalId", octavo.PrefixProposal, noProposal)
}

func asker(r *rest.Request) proposals.Asker { return proposals.AskerOf(r.Principal) }

// required returns the condition of a change that must name the version that it
// changes.
func required(r *rest.Request) (sqldb.IfMatch, error) {
	if len(r.Header.Values("If-Match")) == 0 {
		return nil, octavo.Errorf(octavo.PreconditionRequired, "Send If-Match with the ETag that you have read, so that you do not overwrite the changes of others.")
	}
	return r.WriteCondition()
}

// tagged returns JSON with an entity tag for its version. For callers who do not see
// everything, the content depends on more than the version.
func tagged(r *rest.Request, status int, id octavo.ID, version int64, body []byte) *rest.Response {
	resp := rest.JSON(status, body)
	resp.Tag = rest.EntityTag{ID: id.Suffix(), Version: version}
	if r.Principal.Audience().PublishedOnly || !r.Principal.Scopes.Allow(octavo.ScopeWrite) {
		sum := sha256.Sum256(body)
		resp.Tag.View = "p" + hex.EncodeToString(sum[:8])
	}
	return resp
}

func proposalResponse(r *rest.Request, status int, p octavo.Proposal) *rest.Response {
	resp := tagged(r, status, p.ID, p.Version, p.AppendJSON(nil))
	if status == http.StatusCreated {
		resp.Header = map[string]string{"Location": r.Address("/proposals/" + string(p.ID))}
	}
	return resp
}

// input reads the proposal in the path and the body of a request. The media types are
// those beside JSON.
func input[T any](r *rest.Request, decode func(octavo.Value, bool) (T, error), media ...string) (id octavo.ID, in T, err error) {
	if id, err = proposalPath(r); err != nil {
		return id, in, err
	}
	in, err = body(r, decode, media...)
	return id, in, err
}

// body reads the body of a request.
func body[T any](r *rest.Request, decode func(octavo.Value, bool) (T, error), media ...string) (in T, err error) {
	value, err := r.DecodeBody(media...)
	if err != nil {
		return in, err
	}
	return decode(value, r.Strict())
}

// kept adapts a response to the form that is stored for a repeated request.
func kept[T any](answer func(T) *rest.Response) func(T) sqldb.Response {
	return func(v T) sqldb.Response { return answer(v).Keep() }
}

// List returns one page of the proposals.
func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q := proposalstore.Query{
		Status: octavo.ProposalStatus(p.OneOf("status", string(octavo.ProposalDraft), string(octavo.ProposalOpen), string(octavo.ProposalMerged), string(octavo.ProposalClosed))),
		Origin: octavo.Origin(p.OneOf("origin", "api", "studio", "mcp", "git", "import", "reader")),
	}
	q.Author, _ = p.Get("author")
	if id, ok := p.Get("reviewer"); ok {
		q.Reviewer = octavo.ID(id)
	}
	if id, ok := p.Get("pageId"); ok {
		if q.Page = octavo.ID(id); !octavo.ValidIdentifier(id) {
			p.Faults.Add("pageId", "must be the identifier of a page")
		}
	}
	name := strings.Join([]string{"proposals", string(q.Status), string(q.Origin), q.Author, string(q.Reviewer), string(q.Page)}, "\x01")
	return rest.ListByID(r, p, name, func(ctx context.Context, before octavo.ID, limit int) ([]octavo.Proposal, bool, error) {
		return o.Service.List(ctx, asker(r), q, before, limit)
	}, func(p octavo.Proposal) octavo.ID { return p.ID }, func(dst []byte, p octavo.Proposal) []byte { return p.AppendJSON(dst) })
}

// Create makes a proposal.
func (o Operations) Create(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	in, changes, err := octavo.DecodeProposal(body, r.Strict())
	if err != nil {
		return nil, err
	}
	answer := func(p octavo.Proposal) *rest.Response { return proposalResponse(r, http.StatusCreated, p) }
	p, err := o.Service.Create(r.Context(), r.Cause(), asker(r), in, changes, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(p), nil
}

// Get returns a proposal.
func (o Operations) Get(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	p, err := o.Service.Get(r.Context(), asker(r), id)
	if err != nil {
		return nil, err
	}
	return proposalResponse(r, http.StatusOK, p), nil
}

// Patch changes the fields of a proposal.
func (o Operations) Patch(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	in, err := body(r, octavo.DecodeProposalPatch, rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	p, err := o.Service.Patch(r.Context(), r.Cause(), asker(r), id, in, match)
	if err != nil {
		return nil, err
	}
	return proposalResponse(r, http.StatusOK, p), nil
}

// Delete removes a draft.
func (o Operations) Delete(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	match, err := r.WriteCondition()
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.Delete(r.Context(), r.Cause(), asker(r), id, match))
}

// Checks returns what would prevent a merge of a proposal.
func (o Operations) Checks(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	checks, err := o.Service.Checks(r.Context(), asker(r), id)
	if err != nil {
		return nil, err
	}
	return rest.JSON(http.StatusOK, rest.EncodeJSON(checks)), nil
}

// Merge applies the changes of a proposal.
func (o Operations) Merge(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	if !r.Empty() {
		if _, err := r.DecodeBody(); err != nil {
			return nil, err
		}
	}
	answer := func(m proposals.Merged) *rest.Response {
		body := m.Proposal.AppendJSON([]byte(`{"proposal":`))
		body = append(append(body, `,"pages":`...), rest.EncodeJSON(m.Pages)...)
		return tagged(r, http.StatusOK, m.Proposal.ID, m.Proposal.Version, append(body, '}'))
	}
	merged, err := o.Service.Merge(r.Context(), r.Cause(), asker(r), id, match, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(merged), nil
}
