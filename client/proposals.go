package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/octavo-docs/octavo"
)

// Proposal is a proposal with the ETag of the state that was read. Its changes come
// without their text.
type Proposal struct {
	octavo.Proposal
	ETag string
}

// Change is a change of a proposal with its text, and with the ETag of the state that
// was read.
type Change struct {
	octavo.PageChange
	ETag string
}

// ProposalQuery selects proposals. Zero members select all.
type ProposalQuery struct {
	Status octavo.ProposalStatus
	Author string
	Page   octavo.ID
}

// Merged is the result of a merge.
type Merged struct {
	Proposal octavo.Proposal     `json:"proposal"`
	Pages    []octavo.MergedPage `json:"pages"`
}

// Proposals iterates over the proposals that q selects, the newest first.
func (c *Client) Proposals(ctx context.Context, q ProposalQuery, opts ...CallOption) iter.Seq2[octavo.Proposal, error] {
	query := url.Values{}
	for name, value := range map[string]string{"status": string(q.Status), "author": q.Author, "pageId": string(q.Page)} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return all[octavo.Proposal](ctx, c, "/proposals", query, opts)
}

// Proposal reads a proposal.
func (c *Client) Proposal(ctx context.Context, id octavo.ID, opts ...CallOption) (Proposal, error) {
	return c.proposal(ctx, request{method: http.MethodGet, path: pathOf("/proposals", id)}, opts)
}

// CreateProposal creates a proposal. It needs the scope pages:propose.
func (c *Client) CreateProposal(ctx context.Context, p octavo.ProposalPatch, changes []octavo.PageChange, opts ...CallOption) (Proposal, error) {
	body := appendProposal(nil, p)
	body = appendChanges(append(body[:len(body)-1], `,"changes":`...), changes)
	return c.proposal(ctx, request{method: http.MethodPost, path: "/proposals", body: append(body, '}')}, opts)
}

// PatchProposal changes the fields of a proposal that p names. It needs [IfMatch].
func (c *Client) PatchProposal(ctx context.Context, id octavo.ID, p octavo.ProposalPatch, opts ...CallOption) (Proposal, error) {
	return c.proposal(ctx, request{method: http.MethodPatch, path: pathOf("/proposals", id), body: appendProposal(nil, p)}, opts)
}

// MergeProposal applies the changes of a proposal. It needs [IfMatch] and the scope
// pages:write. Conflicts are in Conflicts of the [Problem].
func (c *Client) MergeProposal(ctx context.Context, id octavo.ID, opts ...CallOption) (Merged, error) {
	return read[Merged](ctx, c, request{method: http.MethodPost, path: pathOf("/proposals", id, "merge")}, opts)
}

// Checks returns the conflicts and warnings of a merge of a proposal.
func (c *Client) Checks(ctx context.Context, id octavo.ID, opts ...CallOption) ([]octavo.Check, error) {
	return read[[]octavo.Check](ctx, c, request{method: http.MethodGet, path: pathOf("/proposals", id, "checks")}, opts)
}

// Reviews reads the reviews of a proposal, the oldest first.
func (c *Client) Reviews(ctx context.Context, id octavo.ID, opts ...CallOption) ([]octavo.Review, error) {
	s, err := list[octavo.Review](ctx, c, pathOf("/proposals", id, "reviews"), url.Values{}, opts)
	return s.Data, err
}

// Comments iterates over the comments on a proposal, the oldest first.
func (c *Client) Comments(ctx context.Context, id octavo.ID, opts ...CallOption) iter.Seq2[octavo.Comment, error] {
	return all[octavo.Comment](ctx, c, pathOf("/proposals", id, "comments"), url.Values{}, opts)
}

// AddChanges adds changes to a proposal, all or none.
func (c *Client) AddChanges(ctx context.Context, id octavo.ID, changes []octavo.PageChange, opts ...CallOption) ([]octavo.PageChange, error) {
	var s Slice[octavo.PageChange]
	_, err := c.do(ctx, request{method: http.MethodPost, path: pathOf("/proposals", id, "changes"), body: appendChanges(nil, changes), into: &s}, opts)
	return s.Data, err
}

// Change reads a change of a proposal with its text.
func (c *Client) Change(ctx context.Context, id, change octavo.ID, opts ...CallOption) (Change, error) {
	return c.change(ctx, request{method: http.MethodGet, path: pathOf("/proposals", id, "changes", string(change))}, opts)
}

// PutChange replaces a change of a proposal. It needs [IfMatch].
func (c *Client) PutChange(ctx context.Context, id, change octavo.ID, next octavo.PageChange, opts ...CallOption) (Change, error) {
	path := pathOf("/proposals", id, "changes", string(change))
	return c.change(ctx, request{method: http.MethodPut, path: path, body: appendChange(nil, next)}, opts)
}

// RemoveChange removes a change from a proposal. It needs [IfMatch].
func (c *Client) RemoveChange(ctx context.Context, id, change octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/proposals", id, "changes", string(change))}, opts)
}

// DiffChange compares the text of a change with its base.
func (c *Client) DiffChange(ctx context.Context, id, change octavo.ID, opts ...CallOption) ([]octavo.DiffHunk, error) {
	var d struct {
		Hunks []octavo.DiffHunk `json:"hunks"`
	}
	_, err := c.do(ctx, request{method: http.MethodGet, path: pathOf("/proposals", id, "changes", string(change), "diff"), into: &d}, opts)
	return d.Hunks, err
}

func (c *Client) proposal(ctx context.Context, req request, opts []CallOption) (p Proposal, err error) {
	p.ETag, err = c.tagged(ctx, req, &p.Proposal, opts)
	return p, err
}

func (c *Client) change(ctx context.Context, req request, opts []CallOption) (change Change, err error) {
	change.ETag, err = c.tagged(ctx, req, &change.PageChange, opts)
	return change, err
}

// appendProposal appends the members that p names as a JSON object.
func appendProposal(dst []byte, p octavo.ProposalPatch) []byte {
	text, _ := json.Marshal(struct { //nolint:errcheck // text
		Title       *string                `json:"title,omitempty"`
		Description *string                `json:"description,omitempty"`
		Status      *octavo.ProposalStatus `json:"status,omitempty"`
		Reviewers   *[]octavo.ID           `json:"reviewers,omitempty"`
	}(p))
	return append(dst, text...)
}

func appendChanges(dst []byte, changes []octavo.PageChange) []byte {
	dst = append(dst, '[')
	for i, c := range changes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendChange(dst, c)
	}
	return append(dst, ']')
}

// appendChange appends a change as in requests: without its id and base.
func appendChange(dst []byte, c octavo.PageChange) []byte {
	c.ID, c.Base = "", nil
	dst = append(dst, '{')
	if c.BaseRevision > 0 {
		dst = append(strconv.AppendInt(append(dst, `"baseRevision":`...), c.BaseRevision, 10), ',')
	}
	return append(dst, c.AppendJSON(nil, true)[len(`{"id":"",`):]...)
}
