package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/importer"
)

// into replaces the changes of a proposal by those of the files, made against the
// newest revisions. Its changes of other pages stay.
func (c *proposeCommand) into(p *program, api *client.Client, changes []octavo.PageChange, report importer.Report) error {
	proposal, err := api.Proposal(p.ctx, c.Into)
	if err != nil {
		return err
	}
	used, made := map[octavo.ID]octavo.PageChange{}, newIDs{}
	var added []octavo.PageChange
	for _, next := range changes {
		i := slices.IndexFunc(proposal.Changes, func(old octavo.PageChange) bool { return samePage(old, next) })
		if i < 0 {
			added = append(added, next)
			continue
		}
		used[proposal.Changes[i].ID] = next
		made.note([]octavo.PageChange{next}, proposal.Changes[i:])
	}
	if err := made.add(p, api, c.Into, batches(added)); err != nil {
		return err
	}
	for id, next := range used {
		one := []octavo.PageChange{next}
		made.resolve(one)
		if err := replace(p, api, c.Into, id, one[0]); err != nil {
			return err
		}
	}
	others := 0
	for _, old := range slices.Backward(proposal.Changes) { // pages come before those below them
		ofFile := slices.ContainsFunc(report, func(e importer.Entry) bool {
			return e.ID != "" && e.ID == old.PageID || old.Source != nil && *old.Source == e.Path
		})
		switch _, taken := used[old.ID]; {
		case taken:
		case !ofFile:
			others++
		default:
			if err := api.RemoveChange(p.ctx, c.Into, old.ID, client.IfMatch("*")); err != nil {
				return err
			}
		}
	}
	if in, some := c.fields(); some {
		if _, err := api.PatchProposal(p.ctx, c.Into, in, client.IfMatch("*")); err != nil {
			return err
		}
	}
	c.tell(p, changes)
	if others > 0 {
		fmt.Fprintf(p.stderr, "octavo: changes of other pages remain unchanged (%d)\n", others)
	}
	return printLine(p.stdout, string(c.Into))
}

// samePage reports whether two changes are of the same page. A new page is identified
// by the path of its file.
func samePage(a, b octavo.PageChange) bool {
	if a.PageID != "" || b.PageID != "" {
		return a.PageID == b.PageID
	}
	return a.Source != nil && b.Source != nil && *a.Source == *b.Source
}

// replace replaces a change, unless it is the same: a replacement ends approvals.
func replace(p *program, api *client.Client, proposal, id octavo.ID, next octavo.PageChange) error {
	old, err := api.Change(p.ctx, proposal, id)
	if err != nil {
		return err
	}
	if next.PageID != "" {
		for r, err := range api.Revisions(p.ctx, next.PageID) {
			if err != nil {
				return err
			}
			next.BaseRevision = r.Number
		}
	}
	if next.BaseRevision == old.BaseRevision && bytes.Equal(said(old.PageChange), said(next)) {
		return nil
	}
	_, err = api.PutChange(p.ctx, proposal, id, next, client.IfMatch(old.ETag))
	return err
}

// said is a change as text, without its base.
func said(c octavo.PageChange) []byte {
	c.ID, c.Base = "", nil
	if c.RawFront != nil {
		c.Frontmatter = nil // the server adds it
	}
	return c.AppendJSON(nil, true)
}
