package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/config"
)

type proposalsCommand struct {
	List  proposalsListCommand  `cmd:"" help:"List proposals."`
	Show  proposalsShowCommand  `cmd:"" help:"Print a proposal with its checks, reviews and comments."`
	Diff  proposalsDiffCommand  `cmd:"" help:"Print the changes of a proposal as a unified diff."`
	Merge proposalsMergeCommand `cmd:"" help:"Merge a proposal."`
	Close proposalsCloseCommand `cmd:"" help:"Close a proposal without merging it."`
}

// proposalServer has the flags that name a server.
type proposalServer struct {
	URL   config.URL `name:"url" required:"" placeholder:"URL" help:"Address of the server."`
	Token string     `env:"OCTAVO_TOKEN" required:"" placeholder:"TOKEN" help:"Access token or API key for the server."`
}

func (s *proposalServer) connect(command string) (*client.Client, error) {
	return connect(string(s.URL), s.Token, "proposals-"+command)
}

// oneProposal has the argument that names a proposal.
type oneProposal struct {
	proposalServer
	ID octavo.ID `arg:"" name:"proposal" help:"Id of the proposal (prop_…)."`
}

// read reads the proposal.
func (c *oneProposal) read(p *program, command string) (*client.Client, client.Proposal, error) {
	if !c.ID.Is(octavo.PrefixProposal) {
		return nil, client.Proposal{}, usageError{fmt.Errorf("%q is not the id of a proposal: octavo proposals list shows ids such as prop_…", c.ID)}
	}
	api, err := c.connect(command)
	if err != nil {
		return nil, client.Proposal{}, err
	}
	proposal, err := api.Proposal(p.ctx, c.ID)
	return api, proposal, err
}

type proposalsListCommand struct {
	proposalServer
	Status octavo.ProposalStatus `enum:",draft,open,merged,closed" default:"" placeholder:"STATUS" help:"List only proposals with this status: draft, open, merged or closed."`
	Author string                `placeholder:"ID" help:"List only proposals of this author."`
	Page   string                `placeholder:"PAGE" help:"List only proposals that change this page, given by id or slug."`
	JSON   bool                  `name:"json" help:"Print a JSON object for each proposal."`
}

func (c *proposalsListCommand) Run(p *program) error {
	api, err := c.connect("list")
	if err != nil {
		return err
	}
	q := client.ProposalQuery{Status: c.Status, Author: c.Author, Page: octavo.ID(c.Page)}
	if c.Page != "" && !q.Page.Is(octavo.PrefixPage) {
		page, err := api.GetBySlug(p.ctx, c.Page)
		if err != nil {
			return err
		}
		q.Page = page.ID
	}
	for x, err := range api.Proposals(p.ctx, q) {
		if err != nil {
			return err
		}
		var line bytes.Buffer
		columns(&line, x.ID, x.Status, x.UpdatedAt.UTC().Format(time.RFC3339), len(x.Changes), x.Author.Name, x.Title)
		if err := p.answer(c.JSON, json.RawMessage(x.AppendJSON(nil)), strings.TrimSuffix(line.String(), "\n")); err != nil {
			return err
		}
	}
	return nil
}

type proposalsMergeCommand struct{ oneProposal }

func (c *proposalsMergeCommand) Run(p *program) error {
	api, proposal, err := c.read(p, "merge")
	if err != nil {
		return err
	}
	merged, err := api.MergeProposal(p.ctx, c.ID, client.IfMatch(proposal.ETag))
	if problem, ok := errors.AsType[*client.Problem](err); ok && len(problem.Conflicts) > 0 {
		for _, x := range problem.Conflicts {
			i := slices.IndexFunc(proposal.Changes, func(c octavo.PageChange) bool { return c.ID == x.ChangeID })
			name, err := changeFile(p, api, proposal.Changes[max(i, 0)])
			if err == nil {
				err = printLine(p.stdout, conflictText(name, x))
			}
			if err != nil {
				return err
			}
		}
		return fmt.Errorf("%s is not merged: %s", c.ID, problem.Detail)
	}
	if err != nil {
		return err
	}
	for _, page := range merged.Pages {
		if err := printLine(p.stdout, fmt.Sprintf("%s %d", page.ID, page.Revision)); err != nil {
			return err
		}
	}
	return nil
}

// conflictText is a conflict with both sides between markers, as Git writes them.
func conflictText(name string, x octavo.MergeConflict) string {
	var text strings.Builder
	side := func(marker string, lines ...string) {
		text.WriteString("\n" + marker)
		for i, line := range lines {
			if i == 0 {
				text.WriteString("\n")
			}
			text.WriteString(line)
		}
	}
	both := func(present, base, proposed []string) {
		side("<<<<<<< page", trimLast(present)...)
		side("||||||| base", trimLast(base)...)
		side("=======", trimLast(proposed)...)
		side(">>>>>>> " + string(x.ChangeID))
	}
	fmt.Fprintf(&text, "%s: %s", onOneLine(strings.TrimSpace(name+" "+x.Member)), onOneLine(x.Message))
	for _, h := range x.Hunks {
		fmt.Fprintf(&text, " (line %d)", h.Line)
		both(h.Present, h.Base, h.Proposed)
	}
	if len(x.Hunks) == 0 && x.Member != "" && (x.Base != nil || x.Present != nil || x.Proposed != nil) {
		both([]string{valueText(x.Present)}, []string{valueText(x.Base)}, []string{valueText(x.Proposed)})
	}
	return text.String()
}

// trimLast removes the line end of the last line, since markers have their own.
func trimLast(lines []string) []string {
	if n := len(lines); n > 0 {
		lines = append(lines[:n-1:n-1], strings.TrimSuffix(lines[n-1], "\n"))
	}
	return lines
}

// valueText is the text of a value in conflict, empty for an absent value.
func valueText(v any) string {
	if v == nil {
		return ""
	}
	text, _ := json.Marshal(v) //nolint:errcheck // it was JSON
	return string(text)
}

type proposalsCloseCommand struct{ oneProposal }

func (c *proposalsCloseCommand) Run(p *program) error {
	api, proposal, err := c.read(p, "close")
	if err != nil {
		return err
	}
	if _, err := api.PatchProposal(p.ctx, c.ID, octavo.ProposalPatch{Status: new(octavo.ProposalClosed)}, client.IfMatch(proposal.ETag)); err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "octavo: closed %s\n", c.ID)
	return nil
}
