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

// ID returns the identifier of the proposal in the path.
func ID(r *rest.Request) (octavo.ID, error) {
	return r.PathID("proposalId", octavo.PrefixProposal, "There is no such proposal.")
}

// Within identifies a change, a review or a comment of a proposal.
type Within struct{ Proposal, ID octavo.ID }

func within(r *rest.Request, name string, prefix octavo.Prefix, missing string) (w Within, err error) {
	if w.Proposal, err = ID(r); err == nil {
		w.ID, err = r.PathID(name, prefix, missing)
	}
	return w, err
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

func proposalAnswer(r *rest.Request, status int) rest.Answer[octavo.Proposal] {
	return func(p octavo.Proposal) *rest.Response {
		resp := tagged(r, status, p.ID, p.Version, p.AppendJSON(nil))
		if status == http.StatusCreated {
			resp.Header = map[string]string{"Location": r.Address("/proposals/" + string(p.ID))}
		}
		return resp
	}
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
	}, func(p octavo.Proposal) octavo.ID { return p.ID }, rest.AppendJSON)
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
	answer := proposalAnswer(r, http.StatusCreated)
	return answer.To(o.Service.Create(r.Context(), r.Cause(), asker(r), in, changes, answer.Keep))
}

// Get returns a proposal.
func (o Operations) Get(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return proposalAnswer(r, http.StatusOK).To(o.Service.Get(r.Context(), asker(r), id))
}

// Patch changes the fields of a proposal.
func (o Operations) Patch(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	in, err := rest.Decode(r, octavo.DecodeProposalPatch, rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	return proposalAnswer(r, http.StatusOK).To(o.Service.Patch(r.Context(), r.Cause(), asker(r), id, in, match))
}

// Delete removes a draft.
func (o Operations) Delete(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	match, err := r.WriteCondition()
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.Delete(r.Context(), r.Cause(), asker(r), id, match))
}

// Checks returns what would prevent a merge of a proposal.
func (o Operations) Checks(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.OK(rest.AppendAny[[]octavo.Check]).To(o.Service.Checks(r.Context(), asker(r), id))
}

// Merge applies the changes of a proposal.
func (o Operations) Merge(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	match, err := required(r)
	if err != nil {
		return nil, err
	}
	if !r.Empty() {
		if _, err := r.DecodeBody(); err != nil {
			return nil, err
		}
	}
	answer := rest.Answer[proposals.Merged](func(m proposals.Merged) *rest.Response {
		body := m.Proposal.AppendJSON([]byte(`{"proposal":`))
		body = append(append(body, `,"pages":`...), rest.EncodeJSON(m.Pages)...)
		return tagged(r, http.StatusOK, m.Proposal.ID, m.Proposal.Version, append(body, '}'))
	})
	return answer.To(o.Service.Merge(r.Context(), r.Cause(), asker(r), id, match, answer.Keep))
}
