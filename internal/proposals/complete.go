package proposals

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// add completes changes and adds them to a proposal. path is their position
// in the request.
func (s *Service) add(tx *sqldb.Tx, a Asker, p *proposalstore.Row, path string, changes []octavo.PageChange) error {
	changes = append([]octavo.PageChange{}, changes...) // the transaction may run again
	var faults octavo.Faults
	for i, c := range changes {
		for _, known := range p.Changes {
			if c.PageID != "" && c.PageID == known.PageID {
				faults.Add(at(path, i)+"/pageId", "is already the page of change %s; a proposal has one change for each page", known.ID)
			}
		}
		changes[i].Authors = []octavo.Actor{tx.Cause().Actor}
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := s.oneDraft(tx, p, changes); err != nil {
		return err
	}
	if err := s.complete(tx, a, p, path, changes); err != nil {
		return err
	}
	for i := range changes {
		if err := s.store.InsertChange(tx, p, &changes[i]); err != nil {
			return err
		}
		p.Changes = append(p.Changes, changes[i])
	}
	return nil
}

// many0 is the path of changes that are the items of the body itself.
const many0 = "/"

// at returns the path of a change in the request.
func at(path string, i int) string {
	switch path {
	case "":
		return ""
	case many0:
		return "/" + strconv.Itoa(i)
	}
	return octavo.PointerIndex(path, i)
}

// oneDraft refuses a second draft from Studio for a page (decision 68).
func (s *Service) oneDraft(tx *sqldb.Tx, p *proposalstore.Row, changes []octavo.PageChange) error {
	if p.Origin != octavo.OriginStudio || p.Status != octavo.ProposalDraft {
		return nil
	}
	for _, c := range changes {
		if c.PageID == "" {
			continue
		}
		other, err := s.store.DraftOf(tx, p.Author.ID, c.PageID)
		if err != nil {
			return err
		}
		if other != "" && other != p.ID {
			return octavo.Errorf(octavo.Conflict, "You have a draft for page %s already: %s.", c.PageID, other)
		}
	}
	return nil
}

// complete checks changes against the present pages and sets their bases, if
// they have none.
func (s *Service) complete(tx *sqldb.Tx, a Asker, p *proposalstore.Row, path string, changes []octavo.PageChange) error {
	var ids []octavo.ID
	var refs []pagestore.RevisionRef
	for _, c := range changes {
		if c.PageID != "" {
			ids = append(ids, c.PageID)
		}
		if c.BaseRevision > 0 {
			refs = append(refs, pagestore.RevisionRef{Page: c.PageID, Number: c.BaseRevision})
		}
	}
	pages, err := pagestore.Present(tx.Context(), tx.Conn(), octavo.Audience{}, ids)
	if err != nil {
		return err
	}
	revisions, err := pagestore.RevisionNumbers(tx.Context(), tx.Conn(), a.Audience, refs)
	if err != nil {
		return err
	}
	below, err := branches(tx.Context(), tx.Conn(), changes)
	if err != nil {
		return err
	}
	creates := map[octavo.ID]bool{}
	for _, known := range p.Changes {
		creates[known.ID] = known.Op == octavo.ChangeCreate
	}
	for _, c := range changes {
		creates[c.ID] = c.ID != "" && c.Op == octavo.ChangeCreate
	}
	var faults octavo.Faults
	for i := range changes {
		c, here := &changes[i], at(path, i)
		if c.Op == octavo.ChangeRestore && !a.Write {
			return octavo.Errorf(octavo.Forbidden, "Proposing to restore a page needs the scope pages:write.")
		}
		if c.ParentID != nil && *c.ParentID != "" && !creates[*c.ParentID] && !c.ParentID.Is(octavo.PrefixPage) {
			faults.Add(here+"/parentId", "must be the identifier of a page, or of a change of this proposal that creates one")
		}
		faults.Merge(parseFront(c, here))
		if c.Op != octavo.ChangeCreate && c.Base == nil {
			faults.Merge(base(c, here, seen(a.Audience, pages[c.PageID]), revisions))
			if c.Base != nil {
				c.Base.Below = below[c.PageID]
			}
		}
	}
	return faults.Err()
}

// seen returns the page if the audience sees it; deleted ones need an
// audience that sees all pages.
func seen(aud octavo.Audience, page *pagestore.PresentPage) *pagestore.PresentPage {
	if page != nil && aud.PublishedOnly && (page.Deleted || page.Status != octavo.Published) {
		return nil
	}
	return page
}

// base sets the base of a change.
func base(c *octavo.PageChange, path string, page *pagestore.PresentPage, revisions map[pagestore.RevisionRef]bool) error {
	if page == nil || page.Deleted != (c.Op == octavo.ChangeRestore) {
		want := "a page that exists"
		if c.Op == octavo.ChangeRestore {
			want = "a deleted page"
		}
		return octavo.Invalid(path+"/pageId", "must be the identifier of %s; %q does not exist", want, c.PageID)
	}
	c.Base = &octavo.ChangeBase{
		Version: page.Version, Revision: page.Revision, Status: page.Status, ParentID: page.ParentID, Position: page.Position,
		PublishAt: page.PublishAt, UnpublishAt: page.UnpublishAt, Dialect: page.Dialect,
	}
	switch {
	case c.BaseRevision == 0:
		c.BaseRevision = page.Revision
	case !revisions[pagestore.RevisionRef{Page: c.PageID, Number: c.BaseRevision}]:
		return octavo.Invalid(path+"/baseRevision", "must be the number of a revision of page %s", c.PageID)
	case c.BaseRevision != page.Revision:
		c.Base.Version, c.Base.Revision = 0, c.BaseRevision
	}
	return nil
}

// parseFront parses the front matter of a change that is given as text; an
// empty text means no front matter.
func parseFront(c *octavo.PageChange, path string) error {
	if c.RawFront == nil {
		return nil
	}
	raw := []byte(*c.RawFront)
	head, body, format, err := frontmatter.Split(raw)
	if err == nil && len(body) > 0 {
		return octavo.Invalid(path+"/frontmatterRaw", "must be front matter and nothing else, with the lines --- around it")
	}
	front := json.RawMessage("{}")
	if err == nil && len(raw) > 0 {
		front, err = frontmatter.Parse(head, format)
	}
	if e, ok := errors.AsType[*frontmatter.Error](err); ok {
		return octavo.Invalid(path+"/frontmatterRaw", "%s (line %d, column %d)", e.Message, e.Line, e.Column)
	}
	if err != nil {
		return err
	}
	if c.Frontmatter != nil && !bytes.Equal(*c.Frontmatter, front) {
		return octavo.Invalid(path+"/frontmatterRaw", "must equal frontmatter: omit one of them")
	}
	c.Frontmatter = &front
	return nil
}

// branches describes the pages below those that changes delete with cascade.
func branches(ctx context.Context, conn sqldb.Conn, changes []octavo.PageChange) (map[octavo.ID]string, error) {
	below := map[octavo.ID]string{}
	for _, c := range changes {
		if c.Op != octavo.ChangeDelete || c.Children != string(pagestore.ChildrenCascade) {
			continue
		}
		var err error
		if below[c.PageID], err = pagestore.Branch(ctx, conn, c.PageID); err != nil {
			return nil, err
		}
	}
	return below, nil
}
