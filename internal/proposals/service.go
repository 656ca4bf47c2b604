// Package proposals lets changes be shown, discussed and merged, so that several
// people, programs and agents can change pages without overwriting each other.
//
// A proposal is a set of changes, each made against a revision. Merging joins them with
// the present pages by a three-way merge, and writes all of them in one transaction or
// none. Package proposalstore has the rows and pagestore the pages. They decide who may
// see a page, and that applies to everything computed here.
//
// Start with service.go. plan.go plans a merge, for checks and for the merge itself.
package proposals

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Clients with a special meaning for proposals.
const (
	ClientStudio  = "cli_studio" // makes proposals of origin studio
	clientCommand = "cli_octavo" // the command line, whose approvals do not count
)

// Service reads, changes and merges proposals. It is safe for concurrent use.
type Service struct {
	db    *sqldb.DB
	store *proposalstore.Proposals
	pages *pagestore.Pages
	files *assetstore.Pending

	PublicURL string // of the server, by which Refactor recognises its own links

	// Render returns the links of a page that may differ from the stored one, and what
	// cannot be shown as written. Only checks need it; see pages.RenderPage.
	Render func(ctx context.Context, aud octavo.Audience, page octavo.Page, coming octavo.Coming) ([]octavo.RenderedLink, []octavo.RenderedNotice, error)
}

// New returns the proposals of a store.
func New(db *sqldb.DB, store *proposalstore.Proposals, pages *pagestore.Pages, files *assetstore.Pending) *Service {
	return &Service{db: db, store: store, pages: pages, files: files}
}

// Asker is the subject of a request.
type Asker struct {
	octavo.Actor
	Audience octavo.Audience
	Propose  bool // may see and make proposals
	Write    bool // may write pages
	Admin    bool
	Origin   octavo.Origin // of what the asker makes

	// Personal reports whether a person signed in here with a client that an
	// administrator added. Only then does an approval count (decision 74).
	Personal bool
}

// AskerOf returns the subject of a verified credential.
func AskerOf(p octavo.Principal) Asker {
	a := Asker{
		Actor: p.Actor, Audience: p.Audience(), Propose: p.Scopes.Allow(octavo.ScopePropose), Write: p.Scopes.Allow(octavo.ScopeWrite), Admin: p.Scopes.Allow(octavo.ScopeAdmin),
		Origin:   octavo.OriginAPI,
		Personal: p.Grant != "" && p.Client != clientCommand && octavo.ID(p.ID).Is(octavo.PrefixUser),
	}
	if p.Client == ClientStudio {
		a.Origin = octavo.OriginStudio
	}
	return a
}

func (a Asker) viewer() proposalstore.Viewer {
	return proposalstore.Viewer{ID: a.ID, PublishedOnly: a.Audience.PublishedOnly, Write: a.Write}
}

// wrote reports whether the asker is the author of a proposal.
func (a Asker) wrote(p *proposalstore.Row) bool { return p.Author.ID == sqldb.Plain(a.ID) }

// Get returns a proposal that the asker sees, with its changes but not their text.
func (s *Service) Get(ctx context.Context, a Asker, id octavo.ID) (octavo.Proposal, error) {
	p, err := s.read(ctx, s.db.Read(), a, id, false)
	if err != nil {
		return octavo.Proposal{}, err
	}
	return p.Proposal, nil
}

// read returns a proposal and its changes as the asker sees them.
func (s *Service) read(ctx context.Context, c sqldb.Conn, a Asker, id octavo.ID, whole bool) (*proposalstore.Row, error) {
	p, err := s.store.Get(ctx, c, a.viewer(), id)
	if err == nil {
		err = s.store.Changes(ctx, c, a.viewer(), whole, p)
	}
	if err == nil {
		err = s.hideParents(ctx, c, a.Audience, p)
	}
	return p, err
}

// List returns at most limit proposals that the asker sees, see [proposalstore.Proposals.List].
func (s *Service) List(ctx context.Context, a Asker, q proposalstore.Query, before octavo.ID, limit int) ([]octavo.Proposal, bool, error) {
	rows, more, err := s.store.List(ctx, a.viewer(), q, before, limit)
	if err == nil {
		err = s.store.Changes(ctx, s.db.Read(), a.viewer(), false, rows...)
	}
	if err == nil {
		err = s.hideParents(ctx, s.db.Read(), a.Audience, rows...)
	}
	if err != nil {
		return nil, false, err
	}
	list := make([]octavo.Proposal, len(rows))
	for i, p := range rows {
		list[i] = p.Proposal
	}
	return list, more, nil
}

// Change returns one complete change of a proposal.
func (s *Service) Change(ctx context.Context, a Asker, id, change octavo.ID) (octavo.PageChange, error) {
	p, err := s.store.Get(ctx, s.db.Read(), a.viewer(), id)
	if err != nil {
		return octavo.PageChange{}, err
	}
	c, err := s.store.Change(ctx, s.db.Read(), a.viewer(), id, change)
	if err != nil {
		return octavo.PageChange{}, err
	}
	p.Changes = []octavo.PageChange{c}
	err = s.hideParents(ctx, s.db.Read(), a.Audience, p)
	return p.Changes[0], err
}

// hideParents removes parents that the audience does not see from the bases
// of changes, as reads of their pages do.
func (s *Service) hideParents(ctx context.Context, c sqldb.Conn, aud octavo.Audience, list ...*proposalstore.Row) error {
	if !aud.PublishedOnly {
		return nil
	}
	var ids []octavo.ID
	for _, p := range list {
		for _, change := range p.Changes {
			if change.Base != nil && change.Base.ParentID != "" {
				ids = append(ids, change.Base.ParentID)
			}
		}
	}
	seen, err := pagestore.Present(ctx, c, aud, ids)
	if err != nil {
		return err
	}
	for _, p := range list {
		for _, change := range p.Changes {
			if change.Base != nil && seen[change.Base.ParentID] == nil {
				change.Base.ParentID = ""
			}
		}
	}
	return nil
}

// write runs one change of a proposal in a transaction. reply makes the response from
// its result before the commit, so that it can be stored for a repeated request.
func write[T any](ctx context.Context, s *Service, cause sqldb.Cause, reply func(T) sqldb.Response, change func(tx *sqldb.Tx) (T, error)) (result T, err error) {
	cause = cause.Replying(func() sqldb.Response { return reply(result) })
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) (err error) {
		result, err = change(tx)
		return err
	})
	return result, err
}

// Notifications returns the asker's notifications, see
// [proposalstore.Proposals.Notifications].
func (s *Service) Notifications(ctx context.Context, a Asker, before octavo.ID, limit int) ([]octavo.Notification, bool, error) {
	if !a.Propose {
		return nil, false, nil
	}
	return s.store.Notifications(ctx, a.viewer(), before, limit)
}

// ReadUntil marks the notifications of the asker, who must be a person, as read.
func (s *Service) ReadUntil(ctx context.Context, cause sqldb.Cause, a Asker, until time.Time) error {
	if !octavo.ID(a.ID).Is(octavo.PrefixUser) {
		return octavo.Errorf(octavo.Forbidden, "Only people have notifications.")
	}
	if now := s.db.Now(); until.After(now) {
		until = now // later ones stay unread
	}
	return s.store.ReadUntil(ctx, cause, a.ID, until)
}

// Appear records that the asker looks at a page or a proposal, see
// [proposalstore.Presences.Appear].
func (s *Service) Appear(ctx context.Context, a Asker, subject octavo.ID) error {
	return proposalstore.NewPresences(s.db).Appear(ctx, a.Actor, a.viewer(), subject)
}

// Present returns the people who look at pages visible to the asker, with or without
// proposals.
func (s *Service) Present(ctx context.Context, a Asker, proposals bool) ([]octavo.Presence, error) {
	return proposalstore.NewPresences(s.db).Present(ctx, a.viewer(), proposals)
}
