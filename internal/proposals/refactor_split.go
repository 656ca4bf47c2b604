package proposals

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/proposals/rewrite"
	"github.com/octavo-docs/octavo/internal/slugify"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// split proposes to make a section of a page a new page below it.
func (r *refactoring) split(in octavo.Refactor) error {
	p, text, err := r.page(in.PageID, "/pageId")
	if err != nil {
		return err
	}
	at := slices.IndexFunc(text.Headings, func(h rewrite.Heading) bool { return h.Top && text.Doc.Position(h.Pos()).Line == in.Line })
	if at < 0 {
		return octavo.Invalid("/line", "must be the line of a heading that is not in a list, quotation or component")
	}
	heading := text.Headings[at]
	title := heading.Text
	if in.Title != nil {
		title = *in.Title
	}
	if title == "" || len([]rune(title)) > octavo.MaxTitle {
		return octavo.Invalid("/title", "must be given: that of the heading is empty or too long")
	}
	made := rewrite.Page{ID: rewrite.Made}
	if in.Slug != nil {
		made.Slug = *in.Slug
	} else if made.Slug, err = r.freeSlug(r.ctx, title); err != nil {
		return err
	}
	if p.Source != "" { // beside its page, so that relative addresses stay valid
		made.Source = path.Join(path.Dir(p.Source), made.Slug+path.Ext(p.Source))
	}
	r.title = "Split " + title + " off " + p.Title

	cut := section{text: text, heading: heading, start: text.LineStart(heading.At), end: len(text.Content)}
	for _, h := range text.Headings[at+1:] {
		if h.Top && h.Level <= heading.Level {
			cut.end = text.LineStart(h.At)
			break
		}
	}
	stays, moves := cut.pieces(title)
	rest, section := rewrite.Read(rewrite.Join(stays, nil), text.Format), rewrite.Read(rewrite.Join(moves, nil), text.Format)
	before, inside, behind := text.HeadingsIn(0, cut.start), text.HeadingsIn(cut.start, cut.end)[1:], text.HeadingsIn(cut.end, len(text.Content))
	if len(rest.Headings) < len(before)+len(behind) || len(section.Headings) < len(inside) {
		return errOpen(p)
	}
	moved := rewrite.Moved{Anchors: text.Doc.Anchors(), To: map[string]rewrite.Spot{}, Part: rewrite.Made, Others: section.Doc.Anchors()}
	retarget(moved.To, before, p.ID, anchorsOf(rest.Headings))
	if _, first := moved.To[heading.Anchor]; !first {
		moved.To[heading.Anchor] = rewrite.Spot{Page: rewrite.Made}
	}
	retarget(moved.To, inside, rewrite.Made, anchorsOf(section.Headings))
	retarget(moved.To, behind, p.ID, anchorsOf(rest.Headings[len(before):]))
	r.links.Moved[p.ID] = moved
	r.links.Change(named(p), named(p))
	r.links.Make(made)

	c := octavo.PageChange{Op: octavo.ChangeCreate, Title: &title, Slug: &made.Slug, ParentID: &p.ID, Status: &p.Status, Dialect: &p.Dialect}
	if made.Source != "" {
		c.Source = &made.Source
	}
	update := r.update(p)
	from := map[*rewrite.Text]rewrite.Page{text: named(p)}
	if err := r.settle(func() error {
		stays[1].Literal = cut.link(r.links.Address(named(p), made), title)
		update.Content = new(text.Restore(r.relinked(stays, from, named(p))))
		c.Content = new(text.Restore(r.relinked(moves, from, made)))
		return nil
	}); err != nil {
		return err
	}
	c.Frontmatter = inherited(p, *c.Content, made.Source)
	r.add(rewrite.Made, c)
	return r.relink(p)
}

// freeSlug makes a slug from a title that no page visible to the asker has.
func (r *refactoring) freeSlug(ctx context.Context, title string) (string, error) {
	slug, _ := slugify.NewMaker().Join([]string{title}) // a part is never empty here
	for n, try := 2, slug; ; n++ {
		owners, err := pagestore.SlugOwners(ctx, r.db.Read(), r.aud, []string{try})
		if err != nil {
			return "", err
		}
		if _, taken := owners[try]; !taken {
			return try, nil
		}
		try = slugify.Numbered(slug, n)
	}
}

// inherited is the front matter that the page of a section takes from the
// original page.
func inherited(p *pagestore.PresentPage, content, source string) *json.RawMessage {
	front := map[string]json.RawMessage{}
	if formatOf(p.Page).MDX && !markdown.FormatOf(content, source, nil, p.Dialect).MDX {
		front["format"] = json.RawMessage(`"mdx"`)
	}
	for _, name := range []string{"lang", "noindex"} {
		if value, ok := member(p.Frontmatter, name).(json.RawMessage); ok {
			front[name] = value
		}
	}
	if len(front) == 0 {
		return nil
	}
	text, err := json.Marshal(front)
	if err != nil {
		return nil // cannot happen: its members were read before
	}
	return new(json.RawMessage(text))
}

// section is a part of a text below a heading.
type section struct {
	text       *rewrite.Text
	heading    rewrite.Heading
	start, end int // including its heading
}

// pieces returns what stays of the text, with a link in place of the section, and what
// moves, with its headings below level 1. Both include the definitions that they need.
func (s section) pieces(title string) (stays, moves []rewrite.Piece) {
	t := s.text
	before, behind := rewrite.Piece{Text: t, To: s.start}, rewrite.Piece{Text: t, From: s.end, To: len(t.Content)}
	body := rewrite.Piece{Text: t, From: t.HeadingEnd(s.heading), To: s.end}
	body.Edits = t.Shift(t.HeadingsIn(body.From, body.To), 1-s.heading.Level)
	stays = []rewrite.Piece{before, {Literal: s.link("#", title)}, behind}
	gap := rewrite.Piece{Literal: "\n\n"}
	for _, d := range slices.Concat(t.Definitions(before, behind), t.Modules(body, true)) {
		stays = append(stays, gap, d)
	}
	for _, module := range t.Modules(body, false) {
		moves = append(moves, module, gap)
	}
	moves = append(moves, body)
	for _, d := range t.Definitions(body) {
		moves = append(moves, gap, d)
	}
	return stays, moves
}

// link is a paragraph that links to the page of the section.
func (s section) link(href, title string) string {
	text := "[" + rewrite.Escape(title) + "](" + href + ")\n"
	if before := s.text.Content[:s.start]; before != "" && !strings.HasSuffix(before, "\n\n") {
		text = "\n" + text
	}
	if s.end < len(s.text.Content) {
		text += "\n"
	}
	return text
}
