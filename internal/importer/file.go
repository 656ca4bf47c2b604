package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/importer/brought"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// maxFile is the size in bytes past which a file is not imported.
const maxFile = 2 << 20

// maxPage is the size in bytes past which the text of a page, as JSON, is not
// imported: a request may have no more bytes than a file, and needs some for
// the rest of the page.
const maxPage = maxFile - 16<<10

// file is one Markdown file on its way to a page.
type file struct {
	path    string
	dialect octavo.Dialect // of the import, or of the generator
	entry   Entry
	made    bool // for a section: there is no such file, or one without text

	// What was read.
	content string          // until all is known of it that the plan needs
	sum     brought.Sum     // of the content
	size    int             // of the content, in bytes
	line    int             // of the file, where the content starts
	head    string          // of the file, before the content
	raw     *string         // front matter as written; nil without
	front   json.RawMessage // the same as JSON
	linked  bool            // a _category_ file makes it the folder's page, which keeps its own address
	broken  bool            // the front matter does not parse, so it is content
	meta    meta
	own     hold // what the file itself says, without what it inherits
	heading string
	links   []string           // addresses
	shown   []string           // addresses of pictures and the like
	anchors *reference.Anchors // nil where they are still to be read

	// What the tree makes of it.
	parent   *file
	top      octavo.ID // of which page it is a child where it has no parent in the tree
	depth    int       // 0 at the root
	title    string
	position *int64
	slug     string
	language string   // of its folder, else of the import
	former   []string // further slugs that lead here
	known    *knownPage

	// What becomes of a page that was imported before, see decide.
	next   brought.Base // what this import brings, for the next one
	want   brought.Sum  // of the content that the page is to have
	reform bool         // the front matter is to have another form
	under  octavo.ID    // the parent that the page is to have
	quiet  bool         // the page is as it is to be, and only the next base is written
	stays  bool         // below the parent that it has, since the new one was refused
	kept   bool         // which stays though the file changed it too

	// What became of it.
	done bool
	id   octavo.ID // "" in a dry run that would make it
	err  error
}

// manner is how the files of a tree are read.
type manner struct {
	metaLines bool // lines of the form "Key: value" at the start of a file are front matter
	dialect   func(name string) octavo.Dialect
}

// readFiles reads and parses the files, several at a time.
func readFiles(ctx context.Context, fsys fs.FS, paths []string, how manner, workers int, progress *progress) ([]*file, error) {
	files := make([]*file, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	var taken atomic.Int64
	for range max(workers, 1) {
		group.Go(func() error {
			var text bytes.Buffer
			for {
				i := int(taken.Add(1)) - 1
				if i >= len(paths) || ctx.Err() != nil {
					return ctx.Err()
				}
				files[i] = readPage(fsys, paths[i], how, &text)
				progress.step()
				if files[i].entry.Action == Skipped {
					progress.step()
				}
			}
		})
	}
	return files, group.Wait()
}

// IsPage reports whether a file of that name is imported as a page.
func IsPage(name string) bool { return reference.IsText(name) }

func newFile(name string) *file {
	return &file{path: name, entry: Entry{Path: name}, line: 1, meta: meta{hold: holdOf(name, octavo.Value{}, nil)}}
}

// readPage reads one file; whatever is wrong with it becomes a note. The text
// is in the buffer while it is read.
func readPage(fsys fs.FS, name string, how manner, buffer *bytes.Buffer) *file {
	f := newFile(name)
	f.dialect = how.dialect(name)
	if err := readInto(buffer, fsys, name); err != nil {
		f.entry.fail("%v", err)
		return f
	}
	text := buffer.Bytes()
	if len(text) > maxFile {
		f.entry.fail("the file is larger than %d bytes", maxFile)
		return f
	}
	if !utf8.Valid(text) {
		line := 1
		for rest := range bytes.Lines(text) {
			if !utf8.Valid(rest) {
				break
			}
			line++
		}
		f.entry.fail("the text is not UTF-8")
		f.entry.Notes[0].Line = line
		return f
	}
	links, shown := f.readMarkup(f.split(text, how.metaLines))
	if filename.IsNavigation(name) {
		f.entry.note(1, lostOrder)
	}
	if f.sizeIsPast(maxPage) {
		f.entry.fail("the page is larger than %d bytes as JSON", maxPage)
	}
	f.forget(links, shown)
	return f
}

// sizeIsPast reports whether the text takes more than limit bytes as JSON.
func (f *file) sizeIsPast(limit int) bool {
	var raw string
	if f.raw != nil {
		raw = *f.raw
	}
	const longest = len(`\u0000`) // of what stands for a byte
	if longest*(len(f.content)+len(raw))+len(f.front) <= limit {
		return false
	}
	return len(octavo.AppendString(octavo.AppendString(nil, f.content), raw))+len(f.front) > limit
}

func readFile(fsys fs.FS, name string) ([]byte, error) {
	var text bytes.Buffer
	if err := readInto(&text, fsys, name); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// readInto reads at most one byte more than maxFile, in place of what is in the
// buffer.
func readInto(text *bytes.Buffer, fsys fs.FS, name string) error {
	r, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("open the file: %w", err)
	}
	defer r.Close()
	text.Reset()
	if info, err := r.Stat(); err == nil && info.Size() > 0 { // else it grows as it comes
		text.Grow(int(min(info.Size(), maxFile+1)) + bytes.MinRead)
	}
	if _, err := text.ReadFrom(io.LimitReader(r, maxFile+1)); err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	return nil
}

// split parts the front matter from the content, and returns the body. What cannot
// be read as front matter is content, but not of the body; a block without keys and
// values is both.
func (f *file) split(text []byte, metaLines bool) (body []byte) {
	raw, body, format, err := frontmatter.Split(text)
	var front json.RawMessage
	switch {
	case err != nil:
	case format != frontmatter.None:
		front, err = frontmatter.Parse(raw, format)
	case metaLines:
		raw, body, front = frontmatter.SplitMeta(text)
	}
	var v octavo.Value
	if err == nil && front != nil {
		v, err = octavo.ValueOf(front)
	}
	content := text
	switch {
	case err != nil:
		f.noteFront(text, err)
	case front == nil:
		f.meta.hold.readLate(text)
		body = text
	default:
		content, f.front, f.head = body, front, string(raw)
		if format != frontmatter.None {
			f.raw = &f.head
		}
		f.line += bytes.Count(raw, []byte("\n"))
		line := func(key string) int { return lineOf(f.head, key) }
		f.meta = readMeta(v, line, f.entry.note)
		f.meta.hold = holdOf(f.path, v, line)
	}
	f.content, f.sum, f.size = string(content), sha256.Sum256(content), len(content)
	return body
}

// noteFront notes that front matter cannot be read. What its lines say of holding the
// page back counts all the same.
func (f *file) noteFront(text []byte, err error) {
	f.broken = true
	block, _, _ := strings.Cut(strings.TrimLeft(string(text), "\ufeff-+; \t\r\n"), "\n---")
	said := octavo.Value{Kind: octavo.KindObject}
	for _, m := range plainMember.FindAllStringSubmatch(block, -1) {
		said.Members = append(said.Members, octavo.Member{Name: m[1], Value: octavo.String(m[2])})
	}
	f.meta.hold = holdOf(f.path, said, func(key string) int { return 1 + lineOf(block, key) })
	line, reason := 1, err.Error()
	if e, ok := errors.AsType[*frontmatter.Error](err); ok {
		line, reason = e.Line, e.Message
	}
	f.entry.note(line, "the front matter cannot be read, so it stays in the text, and a new page is a draft: %s", reason)
}

// plainMember matches a line of front matter that has a key and a plain value.
var plainMember = regexp.MustCompile(`(?m)^[ \t]*["']?([\w-]+)["']?[ \t]*[:=][ \t]*["']?([\w:+.-]+)["']?,?[ \t\r]*$`)

// lineOf returns the line on which a member of the front matter begins, or 1.
func lineOf(raw, key string) int {
	n := 0
	for line := range strings.Lines(raw) {
		n++
		line = strings.TrimLeft(line, " \t{\"'")
		if len(line) < len(key) || !strings.EqualFold(line[:len(key)], key) {
			continue
		}
		if rest := strings.TrimLeft(line[len(key):], " \t\"'"); rest != "" && (rest[0] == ':' || rest[0] == '=') {
			return n
		}
	}
	return 1
}
