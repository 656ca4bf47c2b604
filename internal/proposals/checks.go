package proposals

import (
	"context"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
)

// Checks returns what would prevent a merge of a proposal now, and problems
// in its texts that readers would notice (decision 72).
func (s *Service) Checks(ctx context.Context, a Asker, id octavo.ID) ([]octavo.Check, error) {
	p, err := s.read(ctx, s.db.Read(), a, id, true)
	if err != nil {
		return nil, err
	}
	checks := []octavo.Check{}
	if p.Status == octavo.ProposalMerged {
		return checks, nil
	}
	plan, err := s.plan(ctx, s.db.Read(), a.Audience, p)
	if err != nil {
		return nil, err
	}
	for _, x := range plan.conflicts {
		check := octavo.Check{ChangeID: x.ChangeID, Kind: x.Kind, Severity: octavo.CheckError, Message: x.Message}
		if len(x.Hunks) > 0 {
			check.Line = x.Hunks[0].Line
		}
		checks = append(checks, check)
	}
	coming, err := s.coming(ctx, a, p)
	if err != nil {
		return nil, err
	}
	for _, st := range plan.steps {
		if st.coarse {
			checks = append(checks, octavo.Check{ChangeID: st.change.ID, Kind: octavo.CheckNotice, Severity: octavo.CheckWarning, Message: "The texts are long and share little, so they were compared coarsely. A closer comparison might merge some of the conflicts."})
		}
		texts, err := s.textChecks(ctx, a.Audience, st, coming)
		if err != nil {
			return nil, err
		}
		checks = append(checks, texts...)
	}
	order := map[octavo.ID]int{}
	for i, c := range p.Changes {
		order[c.ID] = i
	}
	slices.SortStableFunc(checks, func(a, b octavo.Check) int { return order[a.ChangeID] - order[b.ChangeID] })
	return checks, nil
}

// coming is what a merge of the proposal would create, as far as the asker sees it.
func (s *Service) coming(ctx context.Context, a Asker, p *proposalstore.Row) (coming octavo.Coming, err error) {
	for _, c := range p.Changes {
		if c.Slug != nil {
			coming.Slugs = append(coming.Slugs, *c.Slug)
		}
		if c.PageID != "" && c.Content != nil {
			coming.Pages = append(coming.Pages, c.PageID)
		}
	}
	coming.Files, err = s.files.OfProposal(ctx, assetstore.Viewer{ID: a.ID, PublishedOnly: a.Audience.PublishedOnly}, p.ID)
	return coming, err
}

// textChecks finds links that lead nowhere, and what cannot be shown as
// written, in the resulting text of a step.
func (s *Service) textChecks(ctx context.Context, aud octavo.Audience, st step, coming octavo.Coming) (checks []octavo.Check, err error) {
	text := st.change.Content
	if st.update.Content != nil {
		text = st.update.Content
	}
	if text == nil || st.change.Op == octavo.ChangeDelete {
		return nil, nil
	}
	page := after(st.change, st.page)
	page.Content = *text
	links, notices, err := s.Render(ctx, aud, page, coming)
	if err != nil {
		return nil, err
	}
	warn := func(kind octavo.CheckKind, message string, line int) {
		checks = append(checks, octavo.Check{ChangeID: st.change.ID, Kind: kind, Severity: octavo.CheckWarning, Message: message, Line: line})
	}
	for _, l := range links {
		if l.State == octavo.LinkBroken {
			warn(octavo.CheckBrokenLink, "The link "+l.Href+" leads nowhere.", l.Line)
		}
	}
	for _, n := range notices {
		warn(octavo.CheckNotice, n.Message, n.Line)
	}
	if more := len(checks) - maxTextChecks; more > 0 {
		checks = checks[:maxTextChecks]
		warn(octavo.CheckNotice, fmt.Sprintf("There are %d more of these.", more), 0)
	}
	return checks, nil
}

// maxTextChecks limits the checks about the text of one change.
const maxTextChecks = 100

// ChangeDiff is how a change would alter the text of its page.
type ChangeDiff struct {
	From, To string // names of the two texts
	Hunks    []octavo.DiffHunk
}

// Diff compares the base of a change with the proposed text. It first calls
// take with the memory that the comparison needs.
func (s *Service) Diff(ctx context.Context, a Asker, id, change octavo.ID, take func(bytes int) error) (d ChangeDiff, err error) {
	c, before, after, err := s.texts(ctx, a, id, change)
	if err != nil {
		return d, err
	}
	if err := take(len(before) + len(after)); err != nil {
		return d, err
	}
	name := string(c.PageID)
	if name == "" {
		name = string(c.ID)
	}
	return ChangeDiff{From: name, To: name + " (proposed)", Hunks: merge.Hunks(before, after)}, nil
}

// texts returns a change, its base text and the proposed text.
func (s *Service) texts(ctx context.Context, a Asker, id, change octavo.ID) (c octavo.PageChange, before, after string, err error) {
	if c, err = s.Change(ctx, a, id, change); err != nil || c.Removed {
		return c, "", "", err
	}
	if c.PageID != "" {
		if before, err = s.baseText(ctx, a, c); err != nil {
			return c, "", "", err
		}
	}
	switch {
	case c.Op == octavo.ChangeRestore:
		before, after = "", before
	case c.Op == octavo.ChangeDelete:
	case c.Content != nil:
		after = *c.Content
	default:
		after = before
	}
	return c, before, after, nil
}

// baseText is the content of the base revision of a change; "" if the asker
// no longer sees that page.
func (s *Service) baseText(ctx context.Context, a Asker, c octavo.PageChange) (string, error) {
	pages, err := pagestore.Present(ctx, s.db.Read(), octavo.Audience{}, []octavo.ID{c.PageID})
	if err != nil {
		return "", err
	}
	if seen(a.Audience, pages[c.PageID]) == nil {
		return "", nil
	}
	if !a.Audience.PublishedOnly {
		ref := pagestore.RevisionRef{Page: c.PageID, Number: c.BaseRevision}
		bodies, err := pagestore.RevisionBodies(ctx, s.db.Read(), []pagestore.RevisionRef{ref})
		return bodies[ref].Content, err
	}
	rev, err := s.pages.Revision(ctx, a.Audience, c.PageID, c.BaseRevision)
	if octavo.IsType(err, octavo.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return *rev.Content, nil
}

// Preview returns the page of a change with the proposed text, title and front matter,
// as the asker sees it, and what the proposal creates. It is NotFound for a deletion.
func (s *Service) Preview(ctx context.Context, a Asker, id, change octavo.ID) (page octavo.Page, coming octavo.Coming, err error) {
	c, _, text, err := s.texts(ctx, a, id, change)
	if err != nil {
		return page, coming, err
	}
	if c.Op == octavo.ChangeDelete || c.Removed {
		return page, coming, octavo.Errorf(octavo.NotFound, "Change %s leaves no page to show.", change)
	}
	var now *pagestore.PresentPage
	if c.PageID != "" {
		pages, err := pagestore.Present(ctx, s.db.Read(), a.Audience, []octavo.ID{c.PageID})
		if err != nil {
			return page, coming, err
		}
		now = pages[c.PageID]
	}
	p, err := s.read(ctx, s.db.Read(), a, id, false)
	if err != nil {
		return page, coming, err
	}
	page = after(c, now)
	page.Content = text
	coming, err = s.coming(ctx, a, p)
	return page, coming, err
}

// after is the page of a change with the proposed members. Without the page
// it has only those.
func after(c octavo.PageChange, now *pagestore.PresentPage) octavo.Page {
	var page octavo.Page
	if now != nil {
		page = now.Page
	}
	for dest, member := range map[*string]*string{&page.Title: c.Title, &page.Slug: c.Slug, &page.Content: c.Content, &page.Source: c.Source} {
		if member != nil {
			*dest = *member
		}
	}
	if c.Dialect != nil {
		page.Dialect = *c.Dialect
	}
	if c.Frontmatter != nil {
		page.Frontmatter = *c.Frontmatter
	}
	return page
}
