package format

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/importer"
)

// file returns the file of a page. An imported page is unchanged, byte for
// byte, as long as its front matter means the same. Any other page gets
// front matter with what an import would not find out otherwise. l counts
// what the text of an imported page does not state itself.
func (m Markdown) file(b *book.Book, t book.Text, name string, l *lost) []byte {
	if t.Status == octavo.Archived {
		b.Warn(octavo.ExportWarning{Page: t.ID, Message: "The page is archived, which a file cannot express."})
	}
	inFolder := slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool {
		return strings.EqualFold(strings.ReplaceAll(folder, "_", "-"), t.Stub.Language)
	})
	spoken := t.Stub.Language != "" && octavo.Language(t.Frontmatter) == "" && !inFolder
	written := importer.IsPage(t.Path) && (t.RawFront != nil || t.Frontmatter == nil)
	text := t.Content
	if len(t.RawFront) > 0 {
		text = slices.Concat(t.RawFront, t.Content)
	}
	if written {
		if r := m.reader.Read(name, text); t.Position != nil && !says(r.Position, *t.Position) {
			l.order++
		}
		if spoken {
			l.language++
		}
		m.compare(b, t, name, text)
		return text
	}
	front, _ := octavo.ValueOf(t.Frontmatter) // zero if there is none
	var head []byte
	if len(front.Members) > 0 {
		head = frontmatter.AppendYAML(nil, front)
	}
	r := m.reader.Read(name, append(head, t.Content...))
	draft := t.Status == octavo.Draft
	missing := len(head) == 0 && r.Front // the content looks as if it began with front matter
	if r.Title != t.Stub.Title || missing {
		set(&front, "title", octavo.String(t.Stub.Title))
	}
	if r.Slug != t.Stub.Slug {
		set(&front, "slug", octavo.String("/"+t.Stub.Slug))
	}
	if t.Position != nil && (r.Position == nil || *r.Position != *t.Position) {
		set(&front, "sidebar_position", octavo.Value{Kind: octavo.KindNumber, Str: strconv.FormatFloat(float64(*t.Position)/importer.Spacing, 'f', -1, 64)})
	}
	if r.Draft != draft || missing && draft {
		set(&front, "draft", octavo.Value{Kind: octavo.KindBool, Bool: draft})
	}
	if spoken {
		set(&front, "lang", octavo.String(t.Stub.Language))
	}
	if len(front.Members) == 0 {
		return t.Content
	}
	text = append(frontmatter.AppendYAML(nil, front), t.Content...)
	m.compare(b, t, name, text)
	return text
}

// lost counts the pages whose files lack something, because another file of
// their imported tree had it, or because it was changed here.
type lost struct{ order, language int }

func (l lost) warn(b *book.Book) {
	for _, what := range []struct {
		count   int
		message string
	}{
		{l.order, "The files of %d pages do not say their place among others, as mkdocs.yml may have done: an import of the archive orders them by name."},
		{l.language, "The files of %d pages do not say their language, which their import was told: give --language again."},
	} {
		if what.count > 0 {
			b.Warn(octavo.ExportWarning{Message: fmt.Sprintf(what.message, what.count)})
		}
	}
}

// says reports whether a file states the position of its page. Large numbers
// are positions without spacing.
func says(said *int64, position int64) bool {
	return said != nil && (*said == position || *said>>10 == position)
}

// compare warns if an import of the file would make a different page.
func (m Markdown) compare(b *book.Book, t book.Text, name string, file []byte) {
	r := m.reader.Read(name, file)
	var differ []string
	if r.Title != t.Stub.Title {
		differ = append(differ, fmt.Sprintf("the title %q", r.Title))
	}
	if r.Slug != t.Stub.Slug {
		differ = append(differ, fmt.Sprintf("the slug %q", r.Slug))
	}
	if len(differ) > 0 {
		b.Warn(octavo.ExportWarning{Page: t.ID, Message: "The file by itself gives its page " + strings.Join(differ, " and ") + "."})
	}
	switch draft := t.Status == octavo.Draft; {
	case draft && !r.Draft:
		b.Warn(octavo.ExportWarning{Page: t.ID, Message: "The page is a draft, but its file does not say so."})
	case !draft && r.Draft:
		b.Warn(octavo.ExportWarning{Page: t.ID, Message: "The page is not a draft, but its file says that it is."})
	}
}

// set gives an object a member, or another value for it.
func set(v *octavo.Value, name string, value octavo.Value) {
	v.Kind = octavo.KindObject
	for i, m := range v.Members {
		if m.Name == name {
			v.Members[i].Value = value
			return
		}
	}
	v.Members = append(v.Members, octavo.Member{Name: name, Value: value})
}
