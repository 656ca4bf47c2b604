package include

import (
	"io/fs"
	"slices"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// Texts returns the addresses of files that a page shows, without those of media.
func Texts(shown []string) []string {
	return slices.DeleteFunc(slices.Clone(shown), func(href string) bool { return filename.IsMedia(reference.AsWritten(href)) })
}

// Incomplete returns notes on parts of files that a page shows and that are not in the
// files. shown are the addresses of these files.
func Incomplete(fsys fs.FS, page, content string, format markdown.Format, front []byte, shown []string) (notes []Note) {
	for _, n := range markdown.Incomplete(content, format, front, func(written string) (text string, mdx, found bool) {
		for _, href := range shown {
			if !markdown.Names(href, written) {
				continue
			}
			for _, name := range reference.ShownFiles(href, page, "") {
				if file, err := fsys.Open(name); err == nil {
					text, mdx, err = markdown.Part(file, name)
					_ = file.Close() // it was read
					return text, mdx, err == nil
				}
			}
		}
		return "", false, false
	}) {
		why := "not shown, because the file does not have this part, or is a template that does more: "
		if n.Kind == document.NotInLine {
			why = "a list or another block of the file is not shown, because it stands within a line: "
		}
		notes = append(notes, Note{n.Line, why + n.Text})
	}
	return notes
}
