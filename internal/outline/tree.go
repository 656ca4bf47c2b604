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

// MaxTree is the maximum number of pages in one response.
const MaxTree = 20_000

// Query selects a part of the tree.
type Query struct {
	Parent octavo.ID         // root of the part; "" for the whole tree
	Depth  int               // levels below Parent; 0 for all
	Status octavo.PageStatus // of the listed pages; "" for any
}

// tree maps the pages of a layout to their children.
type tree struct {
	children map[octavo.ID][]*Page
	seen     map[octavo.ID]bool
}

// arrange builds the tree. A page whose parent is not visible is a root page.
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

// Children returns the children of a page in order; "" means the root.
func (l *Layout) Children(id octavo.ID) []*Page { return l.tree().children[id] }

// Answer is a part of the tree as JSON. Answers are shared and must not be modified.
type Answer struct {
	Tag  string // entity tag of the bytes
	JSON []byte

	packed func() ([]byte, error)
}

// Packed returns the answer as a gzip stream.
func (a *Answer) Packed() ([]byte, error) { return a.packed() }

// answers caches answers.
type answers struct {
	mu    sync.Mutex
	kept  map[Query]*Answer
	bytes int
}

// maxAnswers limits the cached answers of a layout in bytes, before compression.
const maxAnswers = 16 << 20

// Tree answers a query. It fails with InvalidRequest if the answer has more than MaxTree
// pages.
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
	q.Parent = octavo.ID(strings.Clone(string(q.Parent))) // releases the request line that it is a part of
	l.answers.kept[q] = a
	return a, nil
}

type treeWriter struct {
	*tree
	status octavo.PageStatus
	out    []byte
	count  int
	most   int
}

// below writes the pages below parent to the given depth. It reports false if there are
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
