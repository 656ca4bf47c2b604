package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

type proposalsDiffCommand struct{ oneProposal }

func (c *proposalsDiffCommand) Run(p *program) error {
	api, proposal, err := c.read(p, "diff")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	for _, change := range proposal.Changes {
		if err := c.diff(p, out, api, change.ID); err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	return octavo.Wrapf(out.Flush(), "print the result")
}

// diff prints the change of a page's text as Git does, and names its other changes.
func (c *proposalsDiffCommand) diff(p *program, out *bufio.Writer, api *client.Client, id octavo.ID) error {
	change, err := api.Change(p.ctx, c.ID, id)
	if err != nil {
		return err
	}
	hunks, err := api.DiffChange(p.ctx, c.ID, id)
	if err != nil {
		return err
	}
	name, err := changeFile(p, api, change.PageChange)
	if err != nil {
		return err
	}
	from, to := onOneLine("a/"+name), onOneLine("b/"+name)
	head, before := fmt.Sprintf("diff --git %s %s\n", from, to), 0
	switch change.Op {
	case octavo.ChangeCreate:
		from, head = "/dev/null", head+"new file mode 100644\n"
		hunks = withFront(hunks, change.RawFront)
	case octavo.ChangeRestore:
		from, head = "/dev/null", head+"new file mode 100644\n"
	case octavo.ChangeDelete:
		to, head = "/dev/null", head+"deleted file mode 100644\n"
	default:
		front := baseFront(p, api, change.PageChange)
		if n := len(front.Members); n > 0 {
			before = n + 2 // about the right line: programs that apply the diff search nearby
		}
		others := slices.DeleteFunc(members(change.PageChange), func(name string) bool {
			return name == "content" || name == "frontmatter" && string(*change.Frontmatter) == string(front.AppendJSON(nil))
		})
		if len(others) > 0 {
			fmt.Fprintf(p.stderr, "octavo: %s: not in the diff: %s\n", onOneLine(name), strings.Join(others, ", "))
		}
		if len(hunks) == 0 {
			return nil
		}
	}
	out.WriteString(head) //nolint:errcheck // Flush returns the error
	if len(hunks) > 0 {
		fmt.Fprintf(out, "--- %s\n+++ %s\n", from, to)
	}
	for _, h := range hunks {
		lines := strings.Join(h.Lines, "\n")
		if _, shown := asTerminal(p.stdout); shown { // otherwise a program may apply the diff
			lines = legible(lines)
		}
		fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n%s\n", h.OldStart+before, h.OldLines, h.NewStart+before, h.NewLines, lines)
	}
	return nil
}

// withFront adds front matter to the diff of a new text.
func withFront(hunks []octavo.DiffHunk, front *string) []octavo.DiffHunk {
	if front == nil || *front == "" {
		return hunks
	}
	whole := octavo.DiffHunk{NewStart: 1}
	for line := range strings.Lines(*front) {
		whole.Lines = append(whole.Lines, "+"+strings.TrimSuffix(line, "\n"))
	}
	whole.NewLines = len(whole.Lines)
	for _, h := range hunks {
		whole.NewLines, whole.Lines = whole.NewLines+h.NewLines, append(whole.Lines, h.Lines...)
	}
	return []octavo.DiffHunk{whole}
}

// baseFront is the front matter of the base of a change, or none if it cannot be read.
func baseFront(p *program, api *client.Client, c octavo.PageChange) octavo.Value {
	r, err := api.Revision(p.ctx, c.PageID, c.BaseRevision)
	if err == nil {
		if front, err := octavo.ValueOf(r.Frontmatter); err == nil {
			return front
		}
	}
	return octavo.Object()
}
