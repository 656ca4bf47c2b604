package rewrite

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Spot is the target of a link: an anchor of a page, or "" for the page itself.
type Spot struct {
	Page   octavo.ID
	Anchor string
}

// Moved has the new places of a page's spots.
type Moved struct {
	Anchors *reference.Anchors // of the present page
	To      map[string]Spot    // by anchors of headings
	Part    octavo.ID          // the page that gets a part of the text
	Others  *reference.Anchors // of that part
	Whole   *Spot              // new position of the page itself; nil if unchanged
}

// spot returns the new place of an anchor.
func (m Moved) spot(anchor string) (spot Spot, known bool) {
	if spot, known = m.To[anchor]; !known && anchor != "" && m.Others.Find(anchor) == anchor {
		return Spot{m.Part, anchor}, true
	}
	return spot, known
}

// Links rewrites links so that they keep their targets.
type Links struct {
	*Names
	Moved map[octavo.ID]Moved
}

// Edits returns the changes of the links in a piece that moves from one page
// to another, or stays. It is incomplete while names are missing.
func (l Links) Edits(p Piece, from, to Page) (edits []Edit) {
	for _, r := range p.rangesIn(p.From, p.To) {
		if int(r.To) > p.To {
			continue
		}
		if text, ok := l.rewritten(r, p.Content[r.From:r.To], from, to); ok {
			edits = append(edits, Edit{int(r.From), int(r.To), text})
		}
	}
	return edits
}

// Address returns an address that will lead from one page to another.
func (l Links) Address(from, to Page) string {
	if from.Source != "" && to.Source != "" {
		if href := relative(from.Source, escapeFile(to.Source)); l.leads(href, from, to) {
			return href
		}
	}
	for _, href := range []string{to.Slug, "/" + to.Slug} {
		if l.leads(href, from, to) {
			return href
		}
	}
	if to.ID == Made {
		return "/" + to.Slug
	}
	return string(to.ID)
}

// rewritten returns the replacement of an address; ok is false if it can stay.
func (l Links) rewritten(r document.Range, written string, from, to Page) (text string, ok bool) {
	href, ok := reference.URI(r.Address)
	if !ok || r.Address == "" {
		return "", false
	}
	fragment := reference.Fragment(href)
	if reference.Named(href) {
		return l.named(href, written, from, to)
	}
	a := l.parse(r, written)
	if r.Kind == document.MediaRange {
		return l.file(a, r, from, to)
	}
	if reference.Local(href) {
		m := l.Moved[from.ID]
		if len(m.To) == 0 {
			return "", false
		}
		anchor := m.Anchors.Find(fragment)
		spot, known := m.spot(anchor)
		switch {
		case !known, spot == Spot{to.ID, anchor}:
			return "", false
		case spot.Page != to.ID:
			a.path = l.Address(to, l.now[spot.Page])
		}
		return a.write(spot.Anchor, true), true
	}
	by, was := l.concerns(href, from)
	stands := path.Dir(from.Source) == path.Dir(to.Source)
	if by == not && stands {
		return "", false
	}
	meant, ok := l.find(href, from)
	if !ok {
		return l.file(a, r, from, to)
	}
	spot, moved := l.spot(meant.ID, fragment)
	target, changes := l.now[spot.Page]
	if !changes {
		target = Page{ID: meant.ID, Slug: meant.Slug}
	}
	if !stands && !changes {
		if text, ok := l.file(a, r, from, to); ok && l.leads(text, to, target) {
			return text, true
		}
	}
	if by == byFile && l.names(href, to, target) != byFile || !l.leads(href, to, target) {
		if a.path, ok = l.path(a, by, was, to, target); !ok {
			return "", false
		}
	} else if !moved {
		return "", false
	}
	return a.write(spot.Anchor, moved), true
}

// named is rewritten for a wiki link, which names a page or a place on the same one.
func (l Links) named(href, written string, from, to Page) (text string, ok bool) {
	name, fragment, _ := strings.Cut(written, "#")
	meant := pagestore.LinkTarget{ID: from.ID, Slug: from.Slug}
	if here := name == ""; here && len(l.Moved[from.ID].To) == 0 {
		return "", false
	} else if !here {
		if meant, ok = l.find(href, from); !ok {
			return "", false
		}
	}
	spot, moved := l.spot(meant.ID, reference.Fragment(href))
	target, changes := l.now[spot.Page]
	if !changes {
		target = Page{ID: meant.ID, Slug: meant.Slug}
	}
	stays := name == "" && spot.Page == to.ID || name != "" && l.leads(href, to, target)
	if moved {
		fragment = spot.Anchor
	} else if stays {
		return "", false
	}
	if !stays {
		file := strings.TrimSuffix(target.Source, path.Ext(target.Source))
		forms := []string{path.Base(file), file, target.Slug}
		at := slices.IndexFunc(forms, func(form string) bool {
			return strings.Trim(form, ".") != "" && l.leads(reference.ByName(form, ""), to, target)
		})
		if at < 0 {
			return "", false
		}
		name = forms[at]
	}
	if fragment != "" {
		name += "#" + fragment
	}
	return name, true
}

// spot returns the new target of a fragment of a page, and whether its anchor changes.
func (l Links) spot(page octavo.ID, fragment string) (spot Spot, moved bool) {
	m, changes := l.Moved[page]
	if !changes {
		return Spot{page, fragment}, false
	}
	if fragment != "" {
		if anchor := m.Anchors.Find(fragment); anchor != "" {
			if to, ok := m.spot(anchor); ok {
				return to, to.Anchor != anchor
			}
		}
	}
	if m.Whole != nil {
		return *m.Whole, true
	}
	return Spot{page, fragment}, false
}

// path returns the path of an address to a page after the change. If it was a slug or
// identifier, it becomes the new one; otherwise it is as in Address.
func (l Links) path(a address, by way, was, to, target Page) (string, bool) {
	name, anew := was.Slug, target.Slug
	if by == byID {
		name, anew = string(was.ID), string(target.ID)
	}
	if at := strings.LastIndex(a.path, name); at >= 0 && (by == byID || by == bySlug) {
		if form := a.path[:at] + anew + a.path[at+len(name):]; l.leads(a.prefix+form, to, target) {
			return form, true
		}
	}
	form := l.Address(to, target)
	if a.prefix != "" {
		form = "/" + target.Slug
	}
	if target.ID != Made && !l.leads(a.prefix+form, to, target) {
		form = "/v1/pages/" + string(target.ID)
	}
	return form, l.leads(a.prefix+form, to, target)
}

// file adjusts the relative address of a file when its text moves.
func (l Links) file(a address, r document.Range, from, to Page) (string, bool) {
	if a.prefix != "" || a.rooted() || reference.Scheme(r.Address) != "" || path.Dir(from.Source) == path.Dir(to.Source) ||
		strings.ContainsAny(a.path, "@~{") || !strings.ContainsAny(a.path, "./") {
		return "", false
	}
	moved := relative(to.Source, path.Join(path.Dir("/"+from.Source), a.path))
	if strings.HasPrefix(a.path, "./") && !strings.HasPrefix(moved, "../") { // otherwise an import would name a package
		moved = "./" + moved
	}
	a.path = moved
	return a.write("", false), true
}

// relative is the path from the folder of one file to another file.
func relative(from, to string) string {
	dir := strings.FieldsFunc(path.Dir("/"+from), func(r rune) bool { return r == '/' })
	parts := strings.Split(strings.TrimPrefix(path.Clean("/"+to), "/"), "/")
	same := 0
	for same < len(dir) && same < len(parts)-1 && dir[same] == parts[same] {
		same++
	}
	return strings.Repeat("../", len(dir)-same) + strings.Join(parts[same:], "/")
}

// address is a parsed address: text before and after the path is kept.
type address struct {
	prefix, path, suffix, fragment string
	escaped                        bool // the kept text has to be escaped for its position
}

func (a address) rooted() bool {
	return strings.HasPrefix(a.path, "/") || strings.Contains(a.prefix, "//")
}

// parse parses an address as written.
func (l Links) parse(r document.Range, written string) address {
	var a address
	rest := written
	if written != r.Address {
		rest, a.escaped = r.Address, true
	}
	if call, behind, ok := strings.Cut(rest, "}}"); ok { // a shortcode that names the file
		a.path = call + "}}"
		_, a.fragment, _ = strings.Cut(behind, "#")
		return a
	}
	if before, fragment, ok := strings.Cut(rest, "#"); ok {
		rest, a.fragment = before, fragment
	}
	if at := strings.IndexByte(rest, '?'); at >= 0 {
		rest, a.suffix = rest[:at], rest[at:]
	}
	if at := strings.Index(rest, "://"); at >= 0 {
		at += len("://")
		if slash := strings.IndexByte(rest[at:], '/'); slash >= 0 {
			at += slash
		} else {
			at = len(rest)
		}
		a.prefix, rest = rest[:at], rest[at:]
	}
	if inside, ok := strings.CutPrefix(rest, l.basePath); ok && strings.HasPrefix(inside, "/") {
		a.prefix, rest = a.prefix+l.basePath, inside
	}
	a.path = rest
	return a
}

// write assembles an address, with another anchor if requested.
func (a address) write(anchor string, other bool) string {
	if other {
		a.fragment = anchor
		if strings.ContainsFunc(anchor, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '-' && r != '_'
		}) {
			a.fragment = strings.TrimPrefix((&url.URL{Fragment: anchor}).String(), "#")
		}
	}
	text := a.prefix + a.path + a.suffix
	if a.fragment != "" || text == "" {
		text += "#" + a.fragment
	}
	if a.escaped {
		text = strings.ReplaceAll(escape(text), "&", "&amp;")
	}
	return text
}

// escape escapes text so that it means the same in any address.
func escape(text string) string {
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `"`, "%22", "'", "%27", `\`, "%5C", "`", "%60").Replace(text)
}

// escapeFile escapes the path of a file for an address.
func escapeFile(p string) string {
	return escape(strings.NewReplacer("%", "%25", "#", "%23", "?", "%3F").Replace(p))
}

// Escape escapes markup in text.
func Escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>&{}~$#", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return cmp.Or(b.String(), "-")
}
