// Package moving turns the export of another system into a tree of Markdown files, as
// internal/importer takes any: pages with front matter that says title, order and tags,
// links between them by path, pictures and other files beside them. What could not be
// taken along is told with its file and line.
//
// Each system has a file of its own and is a [system]; a further one is one more.
package moving

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo/internal/slugify"
)

// system reads the exports of one system.
type system interface {
	name() string // as the option --from says it
	// finds reports whether this is an export of it, which has these files; asked is set
	// where somebody said so.
	finds(export fs.FS, names []string, asked bool) bool
	read(t *Tree) error // fills the tree from t.export
}

var systems = []system{bookstack{}, confluence{}, notion{}, outline{}, wikijs{}, webpages{}}

// Systems returns the names of the systems whose exports are read.
func Systems() []string {
	names := make([]string, len(systems))
	for i, s := range systems {
		names[i] = s.name()
	}
	return names
}

// ErrUnknown tells that a folder or zip is no export of the system that was asked for.
var ErrUnknown = errors.New("no such export")

// Auto has the system found out, and Files takes what is there as a tree of files.
const (
	Auto  = "auto"
	Files = "files"
)

// Loss is something that was not imported, or not as it was.
type Loss struct {
	Path      string // of the page in the tree, "" where there is none
	From      string // the file of the export
	Line      int    // in that file
	Construct string
	Words     string
}

// Redirect leads from an address in the other system to a page of the tree.
type Redirect struct{ From, Path string }

// Tree is what becomes of an export. Pages are converted when they are read.
type Tree struct {
	*files
	Name      string // what the export calls itself
	System    string
	Redirects []Redirect

	export fs.FS
	listed []string // the files of the export
	slugs  slugify.Maker
	names  map[string]int // paths that are taken, without extension, and how often

	mu     sync.Mutex
	losses []Loss
	told   map[string]bool // pages whose losses are in the list
	kept   map[string]span // pages that were converted
	spool  *os.File        // that these are in, which has no name; it is closed when nothing refers to it
	size   int64           // of that; keptBytes and more once nothing else is kept
}

// keptBytes is how much of the converted pages is kept in a file. An import reads each
// twice; what there is no room for is converted twice.
const keptBytes = 1 << 30

// span is where a page is kept.
type span struct{ from, size int64 }

// Open returns the tree of an export, nil where it is no export of a system but a tree
// of files already. from is the name of a system, Auto or Files.
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
			return nil, fmt.Errorf("%w: this has not the files that an export of %s has", ErrUnknown, from)
		}
		t := &Tree{
			files: newFiles(), System: s.name(), export: export, listed: names, slugs: slugify.NewMaker(),
			names: map[string]int{}, told: map[string]bool{}, kept: map[string]span{},
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

// Losses returns what was not imported of the pages that have been read, by path.
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

// lose adds a loss that no page has.
func (t *Tree) lose(from, construct, format string, args ...any) {
	t.losses = append(t.losses, Loss{From: from, Line: 1, Construct: construct, Words: fmt.Sprintf(format, args...)})
}

// general adds a loss of the whole export.
func (t *Tree) general(construct, words string) { t.lose(".", construct, "%s", words) }

// held are names of folders whose pages an import holds back, or that mean the folder.
var held = []string{"drafts", "wip", "unpublished", "index", "readme", "assets"}

// place returns a free path below a folder for a page of that title, without extension.
func (t *Tree) place(folder, title string) string {
	name, _ := t.slugs.Join([]string{title})
	if slices.Contains(held, name) {
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

// losing is told what a page loses.
type losing func(line int, construct, words string)

// maxLosses is how many different losses of a page are told.
const maxLosses = 200

// addPage adds a page that is made of a file of the export when it is read.
func (t *Tree) addPage(name, from string, convert func(lost losing) ([]byte, error)) {
	t.add(name, entry{open: func() (content, error) {
		t.mu.Lock()
		at, found := t.kept[name]
		t.mu.Unlock()
		if found {
			text := make([]byte, at.size)
			_, err := t.spool.ReadAt(text, at.from)
			return bytesOf(text), err
		}
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
		if !t.told[name] {
			t.told[name] = true
			t.losses = append(t.losses, losses...)
		}
		t.keepPage(name, text)
		return bytesOf(text), nil
	}})
}

// keepPage keeps a page that was converted. Where it cannot be, it is converted again.
func (t *Tree) keepPage(name string, text []byte) {
	if _, found := t.kept[name]; found || t.size+int64(len(text)) > keptBytes {
		return
	}
	var err error
	if t.spool == nil {
		if t.spool, err = os.CreateTemp("", "octavo-export-*"); err == nil {
			err = os.Remove(t.spool.Name())
		}
	}
	if err == nil {
		_, err = t.spool.WriteAt(text, t.size)
	}
	if err != nil {
		t.size = keptBytes
		return
	}
	t.kept[name] = span{t.size, int64(len(text))}
	t.size += int64(len(text))
}

// addFile adds a file of the export as it is. It reports false where its path is taken.
func (t *Tree) addFile(name, from string) bool {
	return t.add(name, entry{open: func() (content, error) { return openFile(t.export, from) }})
}
