package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/changes"
)

type proposeCommand struct {
	Files       []string          `arg:"" optional:"" help:"Markdown files, or folders of them, to propose."`
	URL         config.URL        `name:"url" required:"" placeholder:"URL" help:"Address of the server."`
	Token       string            `env:"OCTAVO_TOKEN" required:"" placeholder:"TOKEN" help:"Access token or API key for the server, with the scope pages:propose."`
	Base        string            `type:"existingdir" default:"." placeholder:"DIR" help:"Root folder of the whole tree, as for an import; paths of files are relative to it."`
	Title       string            `placeholder:"TEXT" help:"Title of the proposal. Default: a summary of its changes."`
	Description string            `placeholder:"TEXT" help:"Description of the proposal, in Markdown."`
	Reviewer    []octavo.ID       `placeholder:"ID" help:"Person to ask for a review, given by id (usr_…); may be given several times."`
	Draft       bool              `help:"Create the proposal as a draft, which nobody else sees."`
	Status      octavo.PageStatus `enum:"draft,published" default:"draft" placeholder:"STATUS" help:"Status of new pages after the merge: draft or published. Files marked as drafts stay drafts."`
	Overwrite   bool              `help:"If a page on the server and its file were both changed in ways that cannot be merged, propose the file. Without this option the proposal leaves the page unchanged."`
	Delete      []string          `placeholder:"PAGE" help:"Also propose to delete this page, given by the path of its file, its slug or its id; may be given several times."`
	Into        octavo.ID         `placeholder:"PROPOSAL" help:"Instead of creating a proposal, replace the changes that this open proposal makes to the pages of the files."`
}

func (c *proposeCommand) Run(p *program) error {
	if len(c.Files)+len(c.Delete) == 0 {
		return usageError{errors.New("name the files to propose, or pages with --delete")}
	}
	if c.Into != "" && c.Draft {
		return usageError{errors.New("--draft makes a proposal, --into changes one: give one of them")}
	}
	only, err := c.only()
	if err != nil {
		return usageError{err}
	}
	api, err := connect(string(c.URL), c.Token, "propose")
	if err != nil {
		return err
	}
	to := changes.New(importer.Server(api))
	report, err := c.read(p, to, only)
	if err != nil {
		return advise(string(c.URL), err)
	}
	if c.Into != "" {
		return c.into(p, api, to.List, report)
	}
	if len(to.List) == 0 {
		fmt.Fprintln(p.stderr, "octavo: nothing to propose: the pages equal the files")
		return nil
	}
	if c.Title == "" {
		c.Title = titleFor(to)
	}
	id, err := c.create(p, api, to.List)
	if err != nil {
		return err
	}
	c.tell(p, to.List)
	return printLine(p.stdout, string(id))
}

// only returns the files as paths in the base folder.
func (c *proposeCommand) only() (only []string, err error) {
	base, err := filepath.Abs(c.Base)
	for _, file := range c.Files {
		if _, err := os.Stat(file); err != nil {
			return nil, err
		}
		full, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Rel(base, full)
		if err != nil || !filepath.IsLocal(path) {
			return nil, fmt.Errorf("%s is not in %s, the root of all paths: give another folder with --base", file, c.Base)
		}
		only = append(only, filepath.ToSlash(path))
	}
	return only, err
}

// read collects the changes by files and deletions, and returns the outcome for each
// file.
func (c *proposeCommand) read(p *program, to *changes.Target, only []string) (report importer.Report, err error) {
	if len(only) > 0 {
		root, err := os.OpenRoot(c.Base) // symbolic links do not lead out of it
		if err != nil {
			return nil, fmt.Errorf("open the tree: %w", err)
		}
		defer root.Close()
		show, finish := p.progressBar("reading")
		report, err = importer.Run(p.ctx, root.FS(), to, importer.Options{
			Status: c.Status, Now: p.now(), Name: treeName(c.Base), Workers: runtime.GOMAXPROCS(0), Progress: show, Only: only, Overwrite: c.Overwrite,
		})
		finish()
		if err != nil {
			return report, err
		}
	} else {
		for _, err := range to.Pages(p.ctx) {
			if err != nil {
				return nil, err
			}
		}
	}
	unread := 0
	for _, e := range report {
		for _, n := range e.Notes {
			fmt.Fprintf(p.stderr, "octavo: %s:%d: %s\n", onOneLine(e.Path), n.Line, n.Message)
		}
		if e.Action == importer.Skipped {
			unread++
		}
	}
	if unread > 0 {
		return report, fmt.Errorf("files are not pages (%d), so nothing is proposed", unread)
	}
	for _, name := range c.Delete {
		page, found := to.Find(name)
		if !found {
			return report, fmt.Errorf("there is no page %q to delete", name)
		}
		to.Delete(page.ID)
	}
	return report, nil
}

// tell prints how many pages the proposal changes.
func (c *proposeCommand) tell(p *program, changes []octavo.PageChange) {
	counts := map[octavo.ChangeOp]int{}
	for _, change := range changes {
		counts[change.Op]++
	}
	fmt.Fprintf(p.stderr, "octavo: %d to create, %d to update, %d to delete\n", counts[octavo.ChangeCreate], counts[octavo.ChangeUpdate], counts[octavo.ChangeDelete])
}

// fields are the given fields of the proposal.
func (c *proposeCommand) fields() (in octavo.ProposalPatch, some bool) {
	if c.Title != "" {
		in.Title = &c.Title
	}
	if c.Description != "" {
		in.Description = &c.Description
	}
	if len(c.Reviewer) > 0 {
		in.Reviewers = &c.Reviewer
	}
	return in, in != (octavo.ProposalPatch{})
}

// create creates a proposal. If that takes several requests, it is a draft until it is
// complete.
func (c *proposeCommand) create(p *program, api *client.Client, changes []octavo.PageChange) (octavo.ID, error) {
	in, _ := c.fields()
	parts := batches(changes)
	if c.Draft || len(parts) > 1 {
		in.Status = new(octavo.ProposalDraft)
	}
	made := newIDs{}
	proposal, err := api.CreateProposal(p.ctx, in, parts[0])
	if err != nil {
		return "", err
	}
	made.note(parts[0], proposal.Changes)
	err = made.add(p, api, proposal.ID, parts[1:])
	if err == nil && len(parts) > 1 && !c.Draft {
		_, err = api.PatchProposal(p.ctx, proposal.ID, octavo.ProposalPatch{Status: new(octavo.ProposalOpen)}, client.IfMatch("*"))
	}
	if err != nil {
		return "", fmt.Errorf("the draft %s is incomplete: %w", proposal.ID, err)
	}
	return proposal.ID, nil
}

// titleFor is the default title of a proposal.
func titleFor(to *changes.Target) string {
	only := to.List[0]
	if len(to.List) > 1 {
		return fmt.Sprintf("Change %d pages", len(to.List))
	}
	page, _ := to.Find(string(only.PageID))
	if only.Title != nil {
		page.Title = *only.Title
	}
	verb := map[octavo.ChangeOp]string{octavo.ChangeCreate: "Add", octavo.ChangeUpdate: "Change", octavo.ChangeDelete: "Delete"}[only.Op]
	letters := []rune(verb + " " + page.Title)
	return string(letters[:min(len(letters), octavo.MaxTitle)])
}

// maxPart is the maximum number of bytes of changes in one request.
const maxPart = client.DefaultMaxBody * 3 / 4

// batches divides changes into requests. A new page comes in an earlier request than
// the pages below it, which need the id from its response.
func batches(changes []octavo.PageChange) (parts [][]octavo.PageChange) {
	from, size := 0, 0
	for i, change := range changes {
		below := change.ParentID != nil && slices.ContainsFunc(changes[from:i], func(c octavo.PageChange) bool { return c.ID == *change.ParentID && c.ID != "" })
		length := len(change.AppendJSON(nil, true))
		if i > from && (below || size+length > maxPart) {
			parts = append(parts, changes[from:i])
			from, size = i, 0
		}
		size += length
	}
	return append(parts, changes[from:])
}

// newIDs maps the earlier ids of changes that create pages to their new ones.
type newIDs map[octavo.ID]octavo.ID

func (m newIDs) note(sent, answered []octavo.PageChange) {
	for i, c := range sent {
		if c.ID != "" && i < len(answered) {
			m[c.ID] = answered[i].ID
		}
	}
}

// resolve sets the parents of changes to the new ids.
func (m newIDs) resolve(changes []octavo.PageChange) {
	for i := range changes {
		changes[i].Resolve(m)
	}
}

func (m newIDs) add(p *program, api *client.Client, id octavo.ID, parts [][]octavo.PageChange) error {
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		m.resolve(part)
		added, err := api.AddChanges(p.ctx, id, part)
		if err != nil {
			return err
		}
		m.note(part, added)
	}
	return nil
}
