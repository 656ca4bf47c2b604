package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

type proposalsShowCommand struct {
	oneProposal
	JSON bool `name:"json" help:"Print one JSON object: proposal, checks, reviews, comments."`
}

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
	var text bytes.Buffer
	printProposal(&text, proposal.Proposal)
	for _, change := range proposal.Changes {
		name, err := changeFile(p, api, change)
		if err != nil {
			return err
		}
		columns(&text, "change", change.Op, change.ID, cmp.Or(change.PageID, "-"), name, cmp.Or(strings.Join(members(change), ","), "-"))
	}
	for _, check := range checks {
		columns(&text, "check", check.Severity, check.ChangeID, check.Kind, check.Line, check.Message)
	}
	for _, r := range reviews {
		state := map[bool]string{true: "counts", false: "past"}[r.Counts]
		columns(&text, "review", r.Verdict, r.ID, state, r.Author.Name, short(r.Text))
	}
	for _, r := range comments {
		state := map[bool]string{true: "resolved", false: "open"}[r.Resolved]
		columns(&text, "comment", state, r.ID, cmp.Or(r.ChangeID, "-"), r.Line, r.Author.Name, short(r.Text))
	}
	return printLine(p.stdout, strings.TrimSuffix(text.String(), "\n"))
}

// printProposal prints the fields of a proposal, a line for each.
func printProposal(w io.Writer, x octavo.Proposal) {
	columns(w, "id", x.ID)
	columns(w, "status", x.Status)
	columns(w, "title", x.Title)
	columns(w, "author", x.Author.ID, x.Author.Name)
	columns(w, "origin", x.Origin)
	columns(w, "created", x.CreatedAt.UTC().Format(time.RFC3339))
	columns(w, "updated", x.UpdatedAt.UTC().Format(time.RFC3339))
	if x.MergedAt != nil && x.MergedBy != nil {
		columns(w, "merged", x.MergedAt.UTC().Format(time.RFC3339), x.MergedBy.ID, x.MergedBy.Name)
	}
	for _, id := range x.Reviewers {
		columns(w, "reviewer", id)
	}
	if x.Description != "" {
		columns(w, "description", short(x.Description))
	}
}

// members are the names of the members that a change names.
func members(c octavo.PageChange) (names []string) {
	c.Base = nil
	v, _ := octavo.ValueOf(c.AppendJSON(nil, true)) //nolint:errcheck // it is JSON
	for _, m := range v.Members {
		if !slices.Contains([]string{"id", "op", "pageId", "children", "removed", "frontmatterRaw", "imported"}, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
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

// pageFile is the path of a page's source file, or one made from its slug. If the page
// no longer exists, it is the id.
func pageFile(p *program, api *client.Client, id octavo.ID) (string, error) {
	page, err := api.Get(p.ctx, id)
	if problem, ok := errors.AsType[*client.Problem](err); ok && problem.Status == http.StatusNotFound {
		return string(id), nil
	}
	return cmp.Or(page.Source, page.Slug+".md"), err
}

// columns prints a line of columns separated by tabs.
func columns(w io.Writer, values ...any) {
	for i, v := range values {
		if i > 0 {
			fmt.Fprint(w, "\t")
		}
		fmt.Fprint(w, onOneLine(fmt.Sprint(v)))
	}
	fmt.Fprintln(w)
}

// short is the beginning of a text, on one line.
func short(text string) string {
	const most = 100
	letters := []rune(strings.Join(strings.Fields(text), " "))
	if len(letters) > most {
		letters = append(letters[:most-1], '…')
	}
	return string(letters)
}

// encoded is a list in the form of the API.
func encoded[T any](list []T, one func(T, []byte) []byte) []json.RawMessage {
	texts := []json.RawMessage{}
	for _, item := range list {
		texts = append(texts, one(item, nil))
	}
	return texts
}
