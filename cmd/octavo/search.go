package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/config"
)

type searchCommand struct {
	Text    string     `arg:"" help:"Text to search for; words in quotation marks must be next to each other."`
	URL     config.URL `name:"url" required:"" placeholder:"URL" help:"Address of the server."`
	Token   string     `env:"OCTAVO_TOKEN" required:"" placeholder:"TOKEN" help:"Access token or API key for the server."`
	Tags    []string   `placeholder:"A,B" help:"Find only pages that have all these tags."`
	Lang    string     `name:"language" placeholder:"TAG" help:"Find only pages in this language, such as pt, or a variant of it, such as pt-BR."`
	Limit   int        `default:"20" placeholder:"N" help:"Maximum number of results."`
	JSON    bool       `name:"json" xor:"form" help:"Print a JSON object for each result."`
	CSV     bool       `name:"csv" xor:"form" help:"Print a table as CSV: id, title, score."`
	Explain bool       `help:"Explain each score in the JSON objects; needs the scope admin."`
}

func (c *searchCommand) Run(p *program) error {
	if c.Limit < 1 {
		return usageError{errors.New("--limit must be at least 1")}
	}
	api, err := connect(string(c.URL), c.Token, "search")
	if err != nil {
		return err
	}
	if c.CSV {
		if _, err := io.WriteString(p.stdout, octavo.SearchHeader); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
	}
	q := client.SearchQuery{Text: c.Text, Tags: c.Tags, Language: c.Lang, Explain: c.Explain}
	for left := c.Limit; left > 0; {
		q.Limit = min(left, octavo.MaxSearchLimit)
		found, err := api.Search(p.ctx, q)
		if err != nil {
			return err
		}
		for i := range found.Results {
			if err := c.print(p, &found.Results[i]); err != nil {
				return err
			}
		}
		if left, q.Cursor = left-len(found.Results), found.Next; q.Cursor == "" {
			return nil
		}
	}
	return nil
}

// print prints a result.
func (c *searchCommand) print(p *program, r *octavo.SearchResult) error {
	switch {
	case c.JSON:
		return printLine(p.stdout, string(r.AppendJSON(nil)))
	case c.CSV:
		_, err := io.WriteString(p.stdout, legible(string(r.AppendCSV(nil))))
		return octavo.Wrapf(err, "print the result")
	}
	place := r.Slug
	if r.Anchor != "" {
		place += "#" + r.Anchor
	}
	var line bytes.Buffer
	columns(&line, fmt.Sprintf("%.3f", r.Score), r.ID, place, r.Title)
	return printLine(p.stdout, strings.TrimSuffix(line.String(), "\n"))
}
