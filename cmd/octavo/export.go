package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

type exportCommand struct {
	config.Storage
	config.Exports
	Format  string   `required:"" enum:"pdf,html,markdown" placeholder:"FORMAT" help:"Format: pdf, or a zip of html or markdown."`
	Out     string   `required:"" placeholder:"FILE" help:"Write the result to this file, which must not exist yet; - is standard output."`
	Scope   string   `enum:"site,published" default:"published" placeholder:"SCOPE" help:"Pages to export: published, or site, which with --drafts includes drafts."`
	Drafts  bool     `help:"Include drafts, with --scope site."`
	Theme   string   `type:"existingfile" placeholder:"FILE" help:"JSON or YAML file with a theme: a name, and a colour for each of its tokens."`
	Tag     []string `placeholder:"TAG" help:"Export only pages that have all these tags."`
	Dir     string   `type:"existingdir" placeholder:"DIR" help:"Export a folder of Markdown files instead of a data folder."`
	SiteURL string   `name:"site-url" placeholder:"URL" help:"Future address of a site of --format html, for its sitemap. Not with --url."`
	URL     string   `name:"url" placeholder:"URL" help:"Export from the server at this address instead of a data folder."`
	Token   string   `env:"OCTAVO_TOKEN" placeholder:"TOKEN" help:"Access token or API key for the server, with the scope pages:read."`
}

func (c *exportCommand) Run(p *program, line *kong.Context) (err error) {
	own := given(line, "data") || given(line, "database-url")
	if c.URL != "" && c.Dir != "" || own && (c.URL != "" || c.Dir != "") {
		return usageError{errors.New("give one of --data or --database-url, --dir, and --url")}
	}
	if c.URL != "" && c.Token == "" {
		return usageError{errors.New("--url needs a credential: give --token, or set OCTAVO_TOKEN")}
	}
	if c.Drafts && c.Scope != string(octavo.ExportSite) {
		return usageError{errors.New("--drafts goes with --scope site")}
	}
	if err := errors.Join(c.checkSite(), c.checkOut()); err != nil {
		return usageError{err}
	}
	definition, err := c.definition()
	if err != nil {
		return err
	}
	return c.toFile(p, func(out io.Writer) (octavo.ExportReport, error) {
		if c.URL != "" {
			return c.fromServer(p, definition, out)
		}
		r, err := octavo.DecodeExportRequest(definition, p.now(), true)
		if err != nil {
			return octavo.ExportReport{}, err
		}
		if c.Dir != "" {
			return c.fromFolder(p, r, out)
		}
		return c.fromStore(p, r, out)
	})
}

// checkSite checks the future address of the site.
func (c *exportCommand) checkSite() error {
	if c.SiteURL == "" {
		return nil
	}
	if c.Format != string(octavo.ExportHTML) || c.URL != "" {
		return errors.New("--site-url goes with --format html, and not with --url")
	}
	at, err := url.Parse(c.SiteURL)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
		return errors.New("--site-url must be an address of http or https without query and fragment")
	}
	return nil
}

// checkOut checks the output file before the result is made.
func (c *exportCommand) checkOut() error {
	if c.Out == "-" {
		return nil
	}
	return checkNew(c.Out)
}

// checkNew checks that a file can be created: nothing has its name, and its folder
// exists.
func checkNew(file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s exists already", file)
	}
	if at, err := os.Stat(filepath.Dir(file)); err != nil || !at.IsDir() {
		return fmt.Errorf("%s is not an existing folder", filepath.Dir(file))
	}
	return nil
}

// definition is the ExportRequest of the API.
func (c *exportCommand) definition() (octavo.Value, error) {
	text := octavo.String
	member := func(name string, v octavo.Value) octavo.Member { return octavo.Member{Name: name, Value: v} }
	v := octavo.Object(member("format", text(c.Format)), member("scope", text(c.Scope)))
	if c.Drafts {
		v.Members = append(v.Members, member("includeDrafts", octavo.Value{Kind: octavo.KindBool, Bool: true}))
	}
	if len(c.Tag) > 0 {
		tags := octavo.Value{Kind: octavo.KindArray}
		for _, tag := range c.Tag {
			tags.Items = append(tags.Items, text(tag))
		}
		v.Members = append(v.Members, member("selection", octavo.Object(member("mode", text("query")), member("query", octavo.Object(member("tags", tags))))))
	}
	if c.Theme != "" {
		source, err := os.ReadFile(c.Theme)
		if err != nil {
			return v, fmt.Errorf("read the theme: %w", err)
		}
		theme, err := yamlvalue.Decode(source) // JSON is YAML too
		if err != nil {
			return v, usageError{fmt.Errorf("the theme in %s cannot be read: %w", c.Theme, err)}
		}
		v.Members = append(v.Members, member("rendering", octavo.Object(member("theme", theme))))
	}
	return v, nil
}

// toFile writes the result to the requested file.
func (c *exportCommand) toFile(p *program, work func(io.Writer) (octavo.ExportReport, error)) error {
	if c.Out == "-" {
		// A closed pipe is an error like any other. By default it would end the
		// process, which would leave temporary files.
		signal.Ignore(syscall.SIGPIPE)
		report, err := work(p.stdout)
		c.tell(p, report)
		return err
	}
	if err := c.make(p, work); err != nil {
		return err
	}
	return printLine(p.stdout, c.Out)
}

// make writes a temporary file beside the requested one, and renames it when it is
// complete.
func (c *exportCommand) make(p *program, work func(io.Writer) (octavo.ExportReport, error)) (err error) {
	file, err := os.CreateTemp(filepath.Dir(c.Out), ".octavo-export-*")
	if err != nil {
		return fmt.Errorf("create the file: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	report, err := work(file)
	c.tell(p, report)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return place(file.Name(), c.Out)
}

// place renames a finished file, unless another file has the name by now. It
// creates the name first, since a rename alone would replace another file. Not
// every file system has links.
func place(finished, name string) error {
	taken, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s was created by another process in the meantime, and is left unchanged", name)
	}
	if err != nil {
		return fmt.Errorf("finish the file: %w", err)
	}
	info, err := taken.Stat() // its mode follows the umask
	if err == nil {
		err = os.Chmod(finished, info.Mode().Perm())
	}
	if err = errors.Join(err, taken.Close()); err != nil {
		return errors.Join(fmt.Errorf("finish the file: %w", err), os.Remove(name))
	}
	if err := os.Rename(finished, name); err != nil {
		return errors.Join(fmt.Errorf("finish the file: %w", err), os.Remove(name))
	}
	return nil
}

// tell prints the warnings of a report.
func (c *exportCommand) tell(p *program, report octavo.ExportReport) {
	for _, w := range report.Warnings {
		where := strings.TrimPrefix(w.Path, "/")
		if w.Page != "" {
			where = cmp.Or(w.Source, w.Slug)
			if w.Line > 0 {
				where += fmt.Sprintf(":%d", w.Line)
			}
		}
		if where != "" {
			where += ": "
		}
		fmt.Fprintf(p.stderr, "octavo: %s%s\n", where, w.Message)
	}
}

// ifEmpty adds a warning to the report of a result without pages.
func (c *exportCommand) ifEmpty(report octavo.ExportReport, pages int) octavo.ExportReport {
	if pages > 0 {
		return report
	}
	message := "there was no page to export, so the result has none"
	if c.Scope == string(octavo.ExportPublished) && c.Dir == "" {
		message += "; --scope site --drafts includes drafts"
	}
	report.Warnings = append(report.Warnings, octavo.ExportWarning{Message: message})
	return report
}

// tidyTime is how long a server has to remove an export.
const tidyTime = 3 * time.Second

// fromServer makes a server create the file.
func (c *exportCommand) fromServer(p *program, definition octavo.Value, out io.Writer) (octavo.ExportReport, error) {
	api, err := connect(c.URL, c.Token, "export")
	if err != nil {
		return octavo.ExportReport{}, err
	}
	accepted, err := api.CreateExport(p.ctx, json.RawMessage(definition.AppendJSON(nil)))
	if err != nil {
		return octavo.ExportReport{}, err
	}
	defer func() {
		// The file was downloaded, or will not be: the server need not keep it.
		// A server that does not respond is not waited for.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), tidyTime)
		defer cancel()
		if err := api.DeleteExport(ctx, accepted.ID); err != nil {
			fmt.Fprintf(p.stderr, "octavo: the export was not removed from the server, which does so later: %v\n", err)
		}
	}()
	show, finish := p.progressBar("exporting")
	e, err := api.AwaitExport(p.ctx, accepted.ID, func(n octavo.ExportProgress) { show(n.Done, n.Total) })
	finish()
	switch {
	case err != nil:
		return e.Report, err
	case e.Error != nil:
		return e.Report, fmt.Errorf("the server could not make the export: %s", cmp.Or(e.Error.Detail, e.Error.Title))
	}
	_, err = api.Download(p.ctx, e, out)
	return c.ifEmpty(e.Report, e.Progress.Total), err
}
