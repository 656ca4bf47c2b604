package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// proposalsShowCommand prints a proposal.
type proposalsShowCommand struct {
	oneProposal
	JSON bool `name:"json" help:"Print one JSON object: proposal, checks, reviews, comments."`
}

// Run prints the proposal.
func (c *proposalsShowCommand) Run(p *program) error {
	api, proposal, err := c.read(p, "show")
	if err != nil {
		return err
	}
	checks, err := api.Checks(p.ctx, c.ID)
	if err != nil {
		return err
	}
	reviews, err := api.Reviews(p.ctx, c.ID)
	if err != nil {
		return err
	}
	comments := []octavo.Comment{}
	for comment, err := range api.Comments(p.ctx, c.ID) {
		if err != nil {
			return err
		}
		comments = append(comments, comment)
	}
	if c.JSON {
		return printJSON(p.stdout, map[string]any{
			"proposal": json.RawMessage(proposal.AppendJSON(nil)), "checks": checks,
			"reviews": encoded(reviews, octavo.Review.AppendJSON), "comments": encoded(comments, octavo.Comment.AppendJSON),
		})
	}
	lines := proposalLines(proposal.Proposal)
	for _, change := range proposal.Changes {
		line, err := changeLine(p, api, c.ID, change)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	for _, check := range checks {
		lines = append(lines, columns("check", check.Severity, check.ChangeID, check.Kind, lineNumber(check.Line), check.Message))
	}
	for _, r := range reviews {
		state := "past"
		if r.Counts {
			state = "counts"
		}
		lines = append(lines, columns("review", r.Verdict, r.ID, state, r.Author.Name, short(r.Text)))
	}
	for _, r := range comments {
		state := "open"
		if r.Resolved {
			state = "resolved"
		}
		lines = append(lines, columns("comment", state, r.ID, cmp.Or(string(r.ChangeID), "-")+lineNumber(r.Line), r.Author.Name, short(r.Text)))
	}
	return printLine(p.stdout, strings.Join(lines, "\n"))
}

// proposalLines are the fields of a proposal, a line for each.
func proposalLines(x octavo.Proposal) []string {
	lines := []string{
		columns("id", x.ID), columns("status", x.Status), columns("title", x.Title), columns("author", x.Author.ID, x.Author.Name), columns("origin", x.Origin),
		columns("created", x.CreatedAt.UTC().Format(time.RFC3339)), columns("updated", x.UpdatedAt.UTC().Format(time.RFC3339)),
	}
	if x.MergedAt != nil && x.MergedBy != nil {
		lines = append(lines, columns("merged", x.MergedAt.UTC().Format(time.RFC3339), x.MergedBy.ID, x.MergedBy.Name))
	}
	for _, id := range x.Reviewers {
		lines = append(lines, columns("reviewer", id))
	}
	if x.Description != "" {
		lines = append(lines, columns("description", short(x.Description)))
	}
	return lines
}

// changeLine is a line of a change: what it does to which page, and the members that it
// changes.
func changeLine(p *program, api *client.Client, proposal octavo.ID, c octavo.PageChange) (string, error) {
	whole, err := api.Change(p.ctx, proposal, c.ID)
	if err != nil {
		return "", err
	}
	name, err := changeFile(p, api, whole.PageChange)
	if err != nil {
		return "", err
	}
	return columns("change", c.Op, c.ID, cmp.Or(c.PageID, "-"), name, strings.Join(members(p, api, whole.PageChange), ",")), nil
}

// members are the names of what a change changes. Front matter that differs in form
// alone is none.
func members(p *program, api *client.Client, c octavo.PageChange) (names []string) {
	if c.Op == octavo.ChangeUpdate && c.Frontmatter != nil {
		said, err := octavo.ValueOf(*c.Frontmatter)
		if err == nil && bytes.Equal(said.AppendJSON(nil), baseFront(p, api, c).AppendJSON(nil)) {
			c.Frontmatter, c.RawFront = nil, nil
		}
	}
	c.ID, c.Op, c.PageID, c.Base, c.Children, c.Removed = "", "", "", nil, "", false
	v, err := octavo.ValueOf(c.AppendJSON(nil, true))
	if err != nil {
		return nil
	}
	for _, m := range v.Members {
		if m.Name != "id" && m.Name != "op" && (m.Name != "frontmatterRaw" || c.Frontmatter == nil) {
			names = append(names, m.Name)
		}
	}
	return names
}

// baseFront is the front matter that a change was made against; none where it cannot be
// read.
func baseFront(p *program, api *client.Client, c octavo.PageChange) octavo.Value {
	if c.PageID != "" && c.BaseRevision > 0 {
		if r, err := api.Revision(p.ctx, c.PageID, c.BaseRevision); err == nil {
			if v, err := octavo.ValueOf(r.Frontmatter); err == nil {
				return v
			}
		}
	}
	return octavo.Object()
}

// changeFile is the path of the file that a change is about.
func changeFile(p *program, api *client.Client, c octavo.PageChange) (string, error) {
	if c.PageID != "" {
		return pageFile(p, api, c.PageID)
	}
	if c.Source != nil && *c.Source != "" {
		return *c.Source, nil
	}
	return *c.Slug + ".md", nil
}

// pageFile is the path of the file that a page was made of, or would have by its slug;
// of a page that is not there any more the id.
func pageFile(p *program, api *client.Client, id octavo.ID) (string, error) {
	if id == "" {
		return "", nil
	}
	page, err := api.Get(p.ctx, id)
	if problem, ok := errors.AsType[*client.Problem](err); ok && problem.Status == http.StatusNotFound {
		return string(id), nil
	}
	return cmp.Or(page.Source, page.Slug+".md"), err
}

// columns are divided by tabs.
func columns(values ...any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = onOneLine(fmt.Sprint(v))
	}
	return strings.Join(texts, "\t")
}

func lineNumber(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(":%d", n)
}

// short is the beginning of what somebody wrote, on one line.
func short(text string) string {
	const most = 100
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most-1]) + "…"
	}
	return text
}

// encoded is a list as the API has it.
func encoded[T any](list []T, one func(T, []byte) []byte) json.RawMessage {
	var parts [][]byte
	for _, item := range list {
		parts = append(parts, one(item, nil))
	}
	return append(append([]byte{'['}, bytes.Join(parts, []byte{','})...), ']')
}
