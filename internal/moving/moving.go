// Package moving converts exports of other systems to a tree of Markdown files for
// internal/importer: pages with title, order and tags in front matter, relative links,
// pictures and other files. It reports losses with file and line.
//
// Each system is a [system] in its own file.
package moving

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo/internal/slugify"
)

// system reads the exports of one system.
type system interface {
	name() string // value of --from
	// finds reports whether this is an export of the system; asked is set if the user said so.
	finds(export fs.FS, names []string, asked bool) bool
	read(t *Tree) error // fills the tree from t.export
}

var systems = []system{bookstack{}, confluence{}, notion{}, outline{}, wikijs{}, webpages{}}

// Systems returns the names of the systems.
func Systems() []string {
	names := make([]string, len(systems))
	for i, s := range systems {
		names[i] = s.name()
	}
	return names
}

// ErrUnknown means that a folder or zip is not an export of the requested system.
var ErrUnknown = errors.New("no such export")

// Auto detects the system; Files imports the files unchanged.
const (
	Auto  = "auto"
	Files = "files"
)

// Loss is something that was not imported, or was changed.
type Loss struct {
	Path      string // of the page in the tree, "" if there is none
	From      string // file of the export
	Line      int    // in From
	Construct string
	Words     string
}

// Redirect maps an address in the other system to a page of the tree.
type Redirect struct{ From, Path string }

// Tree is a converted export. Pages are converted when they are read, which an import
// does twice.
type Tree struct {
	*files
	Name      string // name in the export
	System    string
	Redirects []Redirect

	export fs.FS
	listed []string // files of the export
	slugs  slugify.Maker
	names  map[string]int // used paths without extension, with their counts

	mu       sync.Mutex
	losses   []Loss
	reported map[string]bool // pages whose losses are recorded
}

// Open returns the tree of an export, or nil for a tree of files. from is the name of a
// system, Auto or Files.
func Open(export fs.FS, from string) (*Tree, error) {
	if from == Files {
		return nil, nil
	}
	names, lost, err := list(export)
	if err != nil {
		return nil, fmt.Errorf("list the export: %w", err)
	}
	for _, s := range systems {
		if from != Auto && from != s.name() {
			continue
		}
		if !s.finds(export, names, from != Auto) {
			if from == Auto {
				continue
			}
			return nil, fmt.Errorf("%w: there are no files of an export of %s", ErrUnknown, from)
		}
		t := &Tree{
			files: newFiles(), System: s.name(), export: export, listed: names, slugs: slugify.NewMaker(),
			names: map[string]int{}, reported: map[string]bool{},
			losses: lost,
		}
		if err := s.read(t); err != nil {
			return nil, fmt.Errorf("read the export of %s: %w", s.name(), err)
		}
		t.sort()
		return t, nil
	}
	return nil, nil
}

// Losses returns the losses of all pages read so far, by path.
func (t *Tree) Losses() []Loss {
	t.mu.Lock()
	defer t.mu.Unlock()
	slices.SortStableFunc(t.losses, func(a, b Loss) int {
		if by := strings.Compare(a.Path, b.Path); by != 0 {
			return by
		}
		return a.Line - b.Line
	})
	return t.losses
}

// lose records a loss outside of pages.
func (t *Tree) lose(from, construct, format string, args ...any) {
	t.losses = append(t.losses, Loss{From: from, Line: 1, Construct: construct, Words: fmt.Sprintf(format, args...)})
}

// general records a loss of the export as a whole.
func (t *Tree) general(construct, words string) { t.lose(".", construct, "%s", words) }

// reserved are folder names that make an import treat pages as drafts, or as the
// folder's page.
var reserved = []string{"drafts", "wip", "unpublished", "index", "readme", "assets"}

// newPath returns a free path without extension for a page.
func (t *Tree) newPath(folder, title string) string {
	name, _ := t.slugs.Join([]string{title})
	if slices.Contains(reserved, name) {
		name += "-page"
	}
	wanted := path.Join(folder, name)
	free := wanted
	for t.names[free] > 0 {
		t.names[wanted]++
		free = path.Join(folder, slugify.Numbered(name, t.names[wanted]))
	}
	t.names[free] = 1
	return free
}

// losing records a loss of a page.
type losing func(line int, construct, words string)

// maxLosses limits the losses reported per page.
const maxLosses = 200

// addPage adds a page that is converted when read.
func (t *Tree) addPage(name, from string, convert func(lost losing) ([]byte, error)) {
	t.add(name, entry{open: func() (content, error) {
		var losses []Loss
		count := map[string]int{}
		text, err := convert(func(line int, construct, words string) {
			key := construct + "\x00" + words
			if count[key]++; count[key] == 1 && len(count) <= maxLosses {
				losses = append(losses, Loss{Path: name, From: from, Line: line, Construct: construct, Words: words})
			}
		})
		if err != nil {
			return content{}, err
		}
		for i, l := range losses {
			if n := count[l.Construct+"\x00"+l.Words]; n > 1 {
				losses[i].Words += fmt.Sprintf(" (%d times)", n)
			}
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.reported[name] {
			t.reported[name] = true
			t.losses = append(t.losses, losses...)
		}
		return bytesOf(text), nil
	}})
}

// addFile adds a file unchanged. It reports false if its path is taken.
func (t *Tree) addFile(name, from string) bool {
	return t.add(name, entry{open: func() (content, error) { return openFile(t.export, from) }})
}

// missingExtension returns an extension for the path of a file that has none, by its
// content, so that links to it are links to a file.
func (t *Tree) missingExtension(name string) string {
	if path.Ext(name) != "" {
		return ""
	}
	file, err := t.export.Open(name)
	if err != nil {
		return ""
	}
	start, err := io.ReadAll(io.LimitReader(file, 512))
	if errors.Join(err, file.Close()) != nil {
		return ""
	}
	kind, _, _ := strings.Cut(http.DetectContentType(start), ";")
	return cmp.Or(extensions[kind], ".bin")
}

var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "application/pdf": ".pdf", "application/zip": ".zip", "video/mp4": ".mp4",
	"text/html": ".html", "text/plain": ".txt", "text/xml": ".xml",
}
