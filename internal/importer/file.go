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
	"path"
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
	"github.com/octavo-docs/octavo/internal/importer/settings"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// maxFile is the largest size of a file in bytes.
const maxFile = 2 << 20

// maxPage is the largest size of a text as JSON, in bytes. It leaves space for the other
// members in a request of maxFile bytes.
const maxPage = maxFile - 16<<10

// file is a Markdown file that is being imported.
type file struct {
	path    string
	dialect octavo.Dialect // of the import, or of the generator
	entry   Entry
	made    bool // for a section without a file, or with an empty one

	// What was read.
	content string          // until the plan has all it needs
	sum     brought.Sum     // of the content
	size    int             // of the content, in bytes
	line    int             // of the file, where the content starts
	head    string          // of the file, before the content
	raw     *string         // front matter as written; nil without
	front   json.RawMessage // the same as JSON
	linked  bool            // a _category_ file makes it the folder's page, which keeps its own address
	broken  bool            // the front matter does not parse, so it is content
	meta    meta
	own     publication // of the file itself, without inherited values
	heading string
	wiki    []string           // what it names as [[page]]
	links   []string           // addresses
	shown   []string           // addresses of pictures and the like
	anchors *reference.Anchors // nil until read

	// What the tree makes of it.
	parent   *file
	top      octavo.ID // of which page it is a child where it has no parent in the tree
	depth    int       // 0 at the root
	title    string
	position *int64
	slug     string
	language string   // of its folder, else of the import
	former   []string // additional former slugs
	known    *knownPage

	// State of a page from an earlier import, see decide.
	next   brought.Base // for the next import
	want   brought.Sum  // of the content that the page is to have
	reform bool         // only the format of the front matter changes
	under  octavo.ID    // the new parent
	quiet  bool         // the page is up to date; only the base for the next import is written
	stays  bool         // keeps its parent, since the new one was refused
	kept   bool         // a local change was kept though the file changed it too

	// Result.
	done bool
	id   octavo.ID // "" if a dry run would create it
	err  error
}

// manner says how to read the files of a tree.
type manner struct {
	metaLines bool // lines of the form "Key: value" at the start of a file are front matter
	dialect   func(name string) octavo.Dialect
	values    map[string]string // of the site's configuration
}

// readFiles reads and parses the files concurrently.
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

// IsPage reports whether a file with that name becomes a page.
func IsPage(name string) bool { return reference.IsText(name) }

func newFile(name string) *file {
	return &file{path: name, entry: Entry{Path: name}, line: 1, meta: meta{publication: publicationOf(name, octavo.Value{}, nil)}}
}

// readPage reads one file and notes faults. The buffer is reused.
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
	body := f.split(text, how.metaLines)
	if !f.broken {
		f.front, f.raw = settings.AddValues(f.front, f.raw, string(f.dialect), f.content, how.values)
	}
	links, shown := f.readMarkup(body)
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
	const longest = len(`\u0000`) // the longest escape of one byte
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

// readInto reads at most maxFile+1 bytes into an emptied buffer.
func readInto(text *bytes.Buffer, fsys fs.FS, name string) error {
	r, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("open the file: %w", err)
	}
	defer r.Close()
	text.Reset()
	if info, err := r.Stat(); err == nil && info.Size() > 0 { // otherwise the buffer grows while reading
		text.Grow(int(min(info.Size(), maxFile+1)) + bytes.MinRead)
	}
	if _, err := text.ReadFrom(io.LimitReader(r, maxFile+1)); err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	if path.Ext(name) == ".html" {
		kept := markdown.Outdent(text.String())
		text.Reset()
		text.WriteString(kept)
	}
	return nil
}

// split separates front matter and content, and returns the body. Unreadable front
// matter is part of the content but not of the body; a block without keys is part of
// both.
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
		f.meta.publication.readLate(text)
		body = text
	default:
		content, f.front, f.head = body, front, string(raw)
		if format != frontmatter.None {
			f.raw = &f.head
		}
		f.line += bytes.Count(raw, []byte("\n"))
		line := func(key string) int { return lineOf(f.head, key) }
		f.meta = readMeta(v, line, f.entry.note)
		f.meta.publication = publicationOf(f.path, v, line)
	}
	f.content, f.sum, f.size = string(content), sha256.Sum256(content), len(content)
	return body
}

// noteFront notes unreadable front matter. Plain lines of it that make the page a
// draft still count.
func (f *file) noteFront(text []byte, err error) {
	f.broken = true
	block, _, _ := strings.Cut(strings.TrimLeft(string(text), "\ufeff-+; \t\r\n"), "\n---")
	said := octavo.Value{Kind: octavo.KindObject}
	for _, m := range plainMember.FindAllStringSubmatch(block, -1) {
		said.Members = append(said.Members, octavo.Member{Name: m[1], Value: octavo.String(m[2])})
	}
	f.meta.publication = publicationOf(f.path, said, func(key string) int { return 1 + lineOf(block, key) })
	line, reason := 1, err.Error()
	if e, ok := errors.AsType[*frontmatter.Error](err); ok {
		line, reason = e.Line, e.Message
	}
	f.entry.note(line, "the front matter cannot be read, so it stays in the text, and a new page is a draft: %s", reason)
}

// plainMember matches a front matter line with a key and a plain value.
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
