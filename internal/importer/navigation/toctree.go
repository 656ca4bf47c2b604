package navigation

import (
	"io/fs"
	"path"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// toctree reads the page lists in Sphinx pages, ```{toctree} and .. toctree::, starting
// from file. One with a caption becomes a section.
func (r *reader) toctree(file string, seen map[string]bool) (items []*Item) {
	text, err := fs.ReadFile(r, file)
	if err != nil || seen[file] || len(seen) > maxFiles {
		return nil
	}
	seen[file] = true
	f := &form{from: file, dirs: []string{path.Dir(file), r.site.Dir}}
	into, line, rest := (*[]*Item)(nil), 0, "" // the open list, and the indentation of the directive
	for text := range strings.Lines(string(text)) {
		line++
		words := strings.TrimSpace(text)
		at := script.Node{Kind: script.Text, Line: line, Text: words}
		switch {
		case strings.HasSuffix(words, "{toctree}") || words == ".. toctree::":
			into = &items
			if rest = text[:strings.Index(text, words)] + " "; words[0] != '.' {
				rest = ""
			}
		case into == nil || words == "" || words == "self":
		case strings.HasPrefix(words, "```") || strings.HasPrefix(words, ":::") || !strings.HasPrefix(text, rest):
			into = nil
		case words[0] == ':':
			if caption, ok := strings.CutPrefix(words, ":caption:"); ok {
				part := &Item{Title: plain(caption), From: file, Line: line}
				items, into = append(items, part), &part.Children
			}
		case strings.ContainsAny(words, "*?["):
			for _, name := range r.names {
				fits, err := path.Match(path.Join(path.Dir(file), words), strings.TrimSuffix(name, path.Ext(name)))
				if err == nil && fits && r.pages[name] != nil {
					*into = append(*into, &Item{File: name, Children: r.toctree(name, seen), From: file, Line: line})
				}
			}
		default:
			title := ""
			if before, to, titled := strings.Cut(strings.TrimSuffix(words, ">"), " <"); titled {
				title, at.Text = before, to
			}
			for _, leaf := range r.leaf(f, plain(title), at) {
				leaf.Children = r.toctree(leaf.File, seen)
				*into = append(*into, leaf)
			}
		}
	}
	return items
}
