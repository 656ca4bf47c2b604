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

// proposalsDiffCommand compares the texts of a proposal.
type proposalsDiffCommand struct{ oneProposal }

// Run prints the differences.
func (c *proposalsDiffCommand) Run(p *program) error {
	api, proposal, err := c.read(p, "diff")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	for _, change := range proposal.Changes {
		whole, err := api.Change(p.ctx, c.ID, change.ID)
		if err != nil {
			return err
		}
		if err := diffChange(p, out, api, c.ID, whole.PageChange); err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}

// diffChange prints how the text of one page changes, in the form of Git. What else
// changes is told beside it.
func diffChange(p *program, out *bufio.Writer, api *client.Client, proposal octavo.ID, c octavo.PageChange) error {
	name, err := changeFile(p, api, c)
	if err != nil {
		return err
	}
	hunks, err := api.DiffChange(p.ctx, proposal, c.ID)
	if err != nil {
		return err
	}
	head := onOneLine("a/"+name) + " " + onOneLine("b/"+name)
	front, from, to, mode := 0, onOneLine("a/"+name), onOneLine("b/"+name), ""
	switch {
	case c.Op == octavo.ChangeCreate || c.Op == octavo.ChangeRestore:
		from, mode = "/dev/null", "new file mode 100644\n"
		if c.RawFront != nil {
			hunks = wholeFile(*c.RawFront + *c.Content)
		}
	case c.Op == octavo.ChangeDelete:
		to, mode = "/dev/null", "deleted file mode 100644\n"
	case c.RawFront != nil:
		front = strings.Count(*c.RawFront, "\n") // the text begins behind it
	default:
		if n := len(baseFront(p, api, c).Members); n > 0 {
			front = n + 2 // about; programs that apply the diff look around
		}
	}
	if len(hunks) > 0 || mode != "" {
		fmt.Fprintf(out, "diff --git %s\n%s", head, mode)
	}
	if len(hunks) > 0 {
		fmt.Fprintf(out, "--- %s\n+++ %s\n", from, to)
	}
	for _, h := range hunks {
		fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", h.OldStart+front, h.OldLines, h.NewStart+front, h.NewLines)
		for _, line := range h.Lines {
			fmt.Fprintln(out, line)
		}
	}
	others := slices.DeleteFunc(members(p, api, c), func(name string) bool { return name == "content" })
	if c.Op == octavo.ChangeUpdate && len(others) > 0 {
		fmt.Fprintf(p.stderr, "octavo: %s: not in the diff: %s\n", onOneLine(name), strings.Join(others, ", "))
	}
	return nil
}

// wholeFile is a text that is new.
func wholeFile(text string) []octavo.DiffHunk {
	h := octavo.DiffHunk{NewStart: 1}
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		h.NewLines++
		if h.Lines = append(h.Lines, "+"+line); !ended {
			h.Lines = append(h.Lines, `\ No newline at end of file`)
		}
	}
	if h.NewLines == 0 {
		return nil
	}
	return []octavo.DiffHunk{h}
}
