// Package exports has Octavo and others make the same things of the same pages:
// a book as PDF, a site, a zip. What is good enough is for package report to
// say.
package exports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/proc"
)

// limit is how long a program may take.
const limit = 10 * time.Minute

// Settings say who exports what.
type Settings struct {
	Program string // of Octavo
	Writer  string // tests of Octavo's internal/pdf, as a program
	Peer    string // program of cmd/exportpeer
	Folder  string // for data
	Tree    string // folder of Markdown
	Rounds  int
	Short   bool // a few pages only
}

// making is one program that makes one thing.
type making struct {
	of, what string
	program  string
	args     []string
	out      string // file or folder that is made
	once     bool   // in the first round alone: it takes long, and nothing is held against it
}

// Measure has everything made in turn, and tells to log what it took. What
// could be measured is returned beside the errors of what could not.
func Measure(ctx context.Context, s Settings, log io.Writer) (figure.List, error) {
	makings, err := s.prepare()
	if err != nil {
		return nil, err
	}
	var list figure.List
	var failed error
	for round := range s.Rounds {
		for _, m := range makings {
			if ctx.Err() == nil && (round == 0 || !m.once) {
				failed = errors.Join(failed, m.measure(ctx, s.folder(), &list, log))
			}
		}
	}
	if ctx.Err() == nil {
		failed = errors.Join(failed, s.readBeside(ctx, &list))
	}
	return list, failed
}

func (s Settings) folder() string { return filepath.Join(s.Folder, "exports-run") }

// prepare writes the pages to be exported and returns the ways to export them.
func (s Settings) prepare() ([]making, error) {
	few, many := 300, 1000
	if s.Short {
		few, many = 10, 20
	}
	if err := os.RemoveAll(s.folder()); err != nil {
		return nil, err
	}
	pages, err := readPages(s.Tree)
	if err != nil {
		return nil, err
	}
	at := func(name string) string { return filepath.Join(s.folder(), name) }
	err = errors.Join(
		writePages(at("few"), pages, few, false), writePages(at("many"), pages, many, false),
		writePages(at("pictures"), pages, many, true), writeSheets(at("sheets"), pages, many),
		writeHTML(at("few.html"), pages, few), writeHugo(at("hugo"), pages, many),
	)
	if err != nil {
		return nil, err
	}
	octavo := func(what, format, folder string) making {
		out := at(folder + "." + format)
		return making{of: figure.Octavo, what: what, program: s.Program, args: []string{"export", "--format", format, "--dir", at(folder), "--out", out}, out: out}
	}
	peer := func(of, what, program, out string, args ...string) making {
		return making{of: of, what: what, program: program, args: args, out: at(out)}
	}
	slow := peer(figure.WeasyPrint, figure.Book, "weasyprint", "weasyprint.pdf", "--quiet", at("few.html"), at("weasyprint.pdf"))
	slow.once = true
	return []making{
		octavo(figure.Book, "pdf", "few"),
		peer(figure.Wkhtmltopdf, figure.Book, "wkhtmltopdf", "wk.pdf", "--quiet", "--disable-javascript", "--no-images", at("few.html"), at("wk.pdf")),
		peer(figure.Chromium, figure.Book, "chromium", "chromium.pdf", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
			"--user-data-dir="+at("chromium"), "--no-pdf-header-footer", "--print-to-pdf="+at("chromium.pdf"), "file://"+at("few.html")),
		slow,
		octavo(figure.LongBook, "pdf", "many"),
		octavo(figure.Pictures, "pdf", "pictures"),
		// The writers alone, each in a program that does nothing else, with the
		// same fonts: Octavo's is the benchmark of its package, run once.
		peer(figure.Octavo, figure.Sheets, s.Writer, "sheets.pdf", "-test.run=^$", "-test.bench=^BenchmarkSheets$", "-test.benchtime=1x", "-sheets="+at("sheets"), "-sheets-to="+at("sheets.pdf")),
		peer(figure.Fpdf, figure.Sheets, s.Peer, "fpdf.pdf", "fpdf", at("sheets"), at("fpdf.pdf")),
		octavo(figure.Site, "html", "many"),
		peer(figure.Hugo, figure.Site, "hugo", "hugo/public", "--source", at("hugo"), "--quiet"),
		octavo(figure.Originals, "markdown", "many"),
		peer(figure.Zip, figure.Originals, s.Peer, "store.zip", "zip", at("many"), at("store.zip")),
	}, nil
}

// measure makes one thing and adds what it took.
func (m making) measure(ctx context.Context, folder string, list *figure.List, log io.Writer) error {
	name := fmt.Sprintf("%s by %s", m.what, m.of)
	if _, err := exec.LookPath(m.program); err != nil {
		return fmt.Errorf("%s: %w; scripts/bench-deps installs it", name, err)
	}
	if err := os.RemoveAll(m.out); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	run, err := proc.Measure(ctx, folder, m.program, m.args...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	size, err := sizeOf(m.out)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range []struct {
		unit  string
		value float64
	}{{figure.Wall, run.Wall.Seconds()}, {figure.CPU, run.CPU.Seconds()}, {figure.Peak, float64(run.Peak) / 1e6}, {figure.Size, float64(size) / 1e6}} {
		list.Add(m.of, m.what, f.unit, f.value)
	}
	_, _ = fmt.Fprintf(log, "%-60s %6.2f s, %6.2f s of CPU, %6.1f MB of memory, %6.1f MB\n", // progress; the figures count
		name, run.Wall.Seconds(), run.CPU.Seconds(), float64(run.Peak)/1e6, float64(size)/1e6)
	return nil
}

// sizeOf adds up the files in a folder, or returns the size of a file.
func sizeOf(path string) (size int64, err error) {
	err = filepath.WalkDir(path, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
