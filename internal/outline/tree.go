package outline

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
)

// MaxTree is how many pages one answer holds at most.
const MaxTree = 20_000

// Query selects a part of the tree.
type Query struct {
	Parent octavo.ID         // what lies below it; "" for the whole tree
	Depth  int               // levels below that; 0 for all
	Status octavo.PageStatus // of the pages that are listed; "" for any
}

// tree is how the pages of a layout lie below one another.
type tree struct {
	children map[octavo.ID][]*Page
	seen     map[octavo.ID]bool
}

// arrange finds out what lies below what. A page whose parent the audience does not see
// is a root page.
func (l *Layout) arrange() *tree {
	t := &tree{make(map[octavo.ID][]*Page, len(l.Pages)/2), make(map[octavo.ID]bool, len(l.Pages))}
	for _, p := range l.Pages {
		t.seen[p.Load().ID] = true
	}
	for _, p := range l.Pages {
		parent := t.parent(p.Load())
		t.children[parent] = append(t.children[parent], p)
	}
	return t
}

func (t *tree) parent(p *Said) octavo.ID {
	if t.seen[p.ParentID] {
		return p.ParentID
	}
	return ""
}

// Children returns the children of a page in order; "" is the root.
func (l *Layout) Children(id octavo.ID) []*Page { return l.tree().children[id] }

// Answer is a part of the tree as JSON. Answers are shared: nobody may change one.
type Answer struct {
	Tag  string // names the bytes
	JSON []byte

	packed func() ([]byte, error)
}

// Packed returns the answer as a gzip stream.
func (a *Answer) Packed() ([]byte, error) { return a.packed() }

// answers keeps those that were asked for.
type answers struct {
	mu    sync.Mutex
	kept  map[Query]*Answer
	bytes int
}

// maxAnswers is how many bytes of answers a layout keeps, before compression.
const maxAnswers = 16 << 20

// Tree answers a query. The error is InvalidRequest where that would be more than
// MaxTree pages.
func (s *Service) Tree(l *Layout, q Query) (*Answer, error) {
	l.answers.mu.Lock()
	defer l.answers.mu.Unlock()
	if a := l.answers.kept[q]; a != nil {
		return a, nil
	}
	w := treeWriter{tree: l.tree(), status: q.Status, most: s.most, out: make([]byte, 0, 256*min(len(l.Pages), MaxTree)+16)}
	w.out = append(w.out, `{"data":[`...)
	depth := octavo.MaxDepth
	if q.Depth > 0 {
		depth = q.Depth
	}
	if !w.below(q.Parent, depth) {
		return nil, octavo.Invalid("parentId", "must name a page: the tree has more than %d pages, which is the limit of a response; depth and status reduce it too", s.most)
	}
	w.out = append(w.out, `]}`...)
	sum := sha256.Sum256(w.out)
	a := &Answer{Tag: hex.EncodeToString(sum[:16]), JSON: w.out}
	a.packed = sync.OnceValues(func() ([]byte, error) {
		piece, err := s.pack.Compress(a.JSON)
		if err != nil {
			return nil, err
		}
		stream := deflate.NewStream(make([]byte, 0, len(piece)+64))
		stream.Add(deflate.Piece{Plain: a.JSON, Compressed: piece})
		return stream.Close(), nil
	})
	if l.answers.bytes += cap(a.JSON); l.answers.kept == nil || l.answers.bytes > maxAnswers {
		l.answers.kept, l.answers.bytes = map[Query]*Answer{}, cap(a.JSON)
	}
	q.Parent = octavo.ID(strings.Clone(string(q.Parent))) // else the whole line of the request is kept
	l.answers.kept[q] = a
	return a, nil
}

// treeWriter writes a part of a tree.
type treeWriter struct {
	*tree
	status octavo.PageStatus
	out    []byte
	count  int
	most   int
}

// below writes the pages below one, so many levels. It reports whether there are not
// too many.
func (w *treeWriter) below(parent octavo.ID, depth int) bool {
	for _, p := range w.children[parent] {
		said := p.Load()
		if w.status == "" || said.Status == w.status {
			if w.count++; w.count > w.most {
				return false
			}
			w.add(said, parent)
		}
		if depth > 1 && !w.below(said.ID, depth-1) {
			return false
		}
	}
	return true
}

func (w *treeWriter) add(p *Said, parent octavo.ID) {
	dst := w.out
	if w.count > 1 {
		dst = append(dst, ',')
	}
	dst = append(append(dst, `{"id":"`...), p.ID...)
	dst = octavo.AppendString(append(dst, `","title":`...), p.Title)
	dst = append(append(dst, `,"slug":"`...), p.Slug...)
	dst = append(append(dst, `","status":"`...), p.Status...)
	if parent == "" {
		dst = append(dst, `","parentId":null`...)
	} else {
		dst = append(append(append(dst, `","parentId":"`...), parent...), '"')
	}
	if p.Position != nil {
		dst = strconv.AppendInt(append(dst, `,"position":`...), *p.Position, 10)
	}
	w.out = append(strconv.AppendInt(append(dst, `,"children":`...), int64(len(w.children[p.ID])), 10), '}')
}
