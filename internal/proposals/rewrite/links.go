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
)

// Spot is a place that links lead to: an anchor of a page, "" for the page itself.
type Spot struct {
	Page   octavo.ID
	Anchor string
}

// Moved tells where the spots of a page are afterwards.
type Moved struct {
	Anchors *reference.Anchors // of the page as it is
	To      map[string]Spot    // by them
	Whole   *Spot              // where the page itself is then; nil for where it was
}

// Links rewrites links so that they lead to what they led to.
type Links struct {
	*Names
	Moved map[octavo.ID]Moved
}

// Edits returns what has to be changed of the links of a piece, which stood on one page
// and stands on another, or the same, then. While names are missing it is not complete.
func (l Links) Edits(p Piece, from, to Page) (edits []Edit) {
	for _, place := range p.placesIn(p.From, p.To) {
		if place.To > p.To {
			continue
		}
		if text, ok := l.rewritten(place, p.Content[place.From:place.To], from, to); ok {
			edits = append(edits, Edit{place.From, place.To, text})
		}
	}
	return edits
}

// Address returns an address that leads from a page to another one then.
func (l Links) Address(from, to Page) string {
	if from.Source != "" && to.Source != "" {
		if href := relative(from.Source, escapeFile(to.Source)); l.leads(href, from, to.ID) {
			return href
		}
	}
	for _, href := range []string{to.Slug, "/" + to.Slug} {
		if l.leads(href, from, to.ID) {
			return href
		}
	}
	if to.ID == Made {
		return "/" + to.Slug
	}
	return string(to.ID)
}

// leads reports whether an address leads to a page then, and not by a redirect.
func (l Links) leads(address string, from Page, to octavo.ID) bool {
	href, ok := reference.URI(address)
	if !ok {
		return false
	}
	f, ok := l.find(afterSeen, href, from)
	return ok && f.ID == to && !f.former
}

// rewritten returns what has to be written in place of an address; ok is false where that
// may stay.
func (l Links) rewritten(place Place, written string, from, to Page) (text string, ok bool) {
	href, ok := reference.URI(place.Address)
	switch {
	case !ok || place.Kind == document.UsePlace || place.Kind == document.NotePlace || place.Kind == document.NotedPlace || place.Kind == document.ModulePlace:
		return "", false
	}
	fragment := reference.Fragment(href)
	a := l.parse(place, written)
	if place.Kind == document.ShownPlace {
		return l.file(a, place, from, to)
	}
	if reference.Local(href) {
		m := l.Moved[from.ID]
		if len(m.To) == 0 {
			return "", false
		}
		anchor := m.Anchors.Find(fragment)
		spot, known := m.To[anchor]
		switch {
		case !known, spot == Spot{to.ID, anchor}:
			return "", false
		case spot.Page != to.ID:
			a.path = l.Address(to, l.now[spot.Page])
		}
		return a.write(spot.Anchor, true), true
	}
	meant, ok := l.find(before, href, from)
	if !ok {
		return l.file(a, place, from, to)
	}
	spot, moved := l.spot(meant.ID, fragment)
	target := meant.Page
	if p, changes := l.now[spot.Page]; changes {
		target = p
	}
	if f, ok := l.find(after, href, to); !ok || f.ID != spot.Page || f.former || (f.by.Path == "") != (meant.by.Path == "") {
		if a.path, ok = l.path(a, meant, from, to, target); !ok {
			return "", false
		}
	} else if !moved {
		return "", false
	}
	return a.write(spot.Anchor, moved), true
}

// spot returns where what a fragment of a page means is then, and whether its anchor is
// another one.
func (l Links) spot(page octavo.ID, fragment string) (spot Spot, moved bool) {
	m, changes := l.Moved[page]
	if !changes {
		return Spot{page, fragment}, false
	}
	if fragment != "" {
		if anchor := m.Anchors.Find(fragment); anchor != "" {
			if to, ok := m.To[anchor]; ok {
				return to, to.Anchor != anchor
			}
		}
	}
	if m.Whole != nil {
		return *m.Whole, true
	}
	return Spot{page, fragment}, false
}

// path returns the path of an address that leads to the same page then, in the form that
// it has if that is possible. meant is how it was found before.
func (l Links) path(a address, meant found, from, to, target Page) (string, bool) {
	var forms []string
	if !a.rooted() && path.Dir(from.Source) != path.Dir(to.Source) {
		forms = append(forms, rebased(a.path, from.Source, to.Source))
	}
	switch {
	case meant.by.Page != "" && target.ID != Made:
		forms = append(forms, strings.Replace(a.path, string(meant.ID), string(target.ID), 1))
	case meant.by.Path != "":
		forms = append(append(forms, sourceForms(a, meant, to, target)...), l.slugForms(a, target)...)
	default:
		forms = append(append(forms, l.slugForms(a, target)...), sourceForms(a, meant, to, target)...)
	}
	if target.ID != Made {
		forms = append(forms, "/v1/pages/"+string(target.ID))
	}
	best, ok := "", false
	for _, form := range forms { // all of them, so that what is missing is known at once
		if l.leads(a.prefix+form, to, target.ID) && !ok {
			best, ok = form, true
		}
	}
	return best, ok
}

// slugForms are paths that lead to a page by its slug, as another path may have done.
func (l Links) slugForms(a address, target Page) (forms []string) {
	p, end := strings.CutSuffix(a.path, "/")
	dir, base := path.Split(p)
	ext := extension(base)
	if end {
		ext = "/"
	}
	if folder := l.slug(reference.Target{Path: strings.Trim(dir, "./")}); folder != "" { // a/b is the slug a-b
		if rest, below := strings.CutPrefix(target.Slug, folder+"-"); below {
			forms = append(forms, dir+rest+ext)
		}
	}
	forms = append(forms, dir+target.Slug+ext)
	if !a.rooted() {
		forms = append(forms, target.Slug+ext, target.Slug)
	}
	return append(forms, "/"+target.Slug+ext, "/"+target.Slug)
}

// sourceForms are paths that lead to the file of a page as another path did.
func sourceForms(a address, meant found, from, target Page) (forms []string) {
	if target.Source == "" {
		return nil
	}
	to := escapeFile(target.Source)
	switch strings.ToLower(path.Ext(a.path)) {
	case ".md", ".mdx", ".markdown":
	case ".html", ".htm":
		to = strings.TrimSuffix(to, path.Ext(to)) + path.Ext(a.path)
	default:
		to = strings.TrimSuffix(to, path.Ext(to))
	}
	first, rest, _ := strings.Cut(a.path, "/")
	switch first {
	case "", "@site", "@", "~":
		// As many folders are left out as were before, or else the fewest.
		out := strings.Count(meant.Source, "/") - strings.Count(rest, "/")
		for n, more := 0, true; more; n++ {
			form := first + "/" + to
			if n == out {
				forms = slices.Insert(forms, 0, form)
			} else {
				forms = append(forms, form)
			}
			_, to, more = strings.Cut(to, "/")
		}
	default:
		form := relative(from.Source, to)
		if first == "." && !strings.HasPrefix(form, "../") {
			form = "./" + form
		}
		forms = append(forms, form)
	}
	return forms
}

// extension is what the last part of a path ends in, if that is of a page.
func extension(base string) string {
	switch ext := path.Ext(base); strings.ToLower(ext) {
	case ".md", ".mdx", ".markdown", ".html", ".htm":
		return ext
	}
	return ""
}

// file moves the relative address of a file along with the text that has it.
func (l Links) file(a address, place Place, from, to Page) (string, bool) {
	if a.prefix != "" || a.rooted() || reference.Scheme(place.Address) != "" || path.Dir(from.Source) == path.Dir(to.Source) ||
		strings.ContainsAny(a.path, "@~{") || !strings.ContainsAny(a.path, "./") {
		return "", false
	}
	a.path = rebased(a.path, from.Source, to.Source)
	return a.write("", false), true
}

// rebased is a relative path for another file than the one that had it.
func rebased(p, from, to string) string {
	moved := relative(to, path.Join(path.Dir("/" + from)[1:], p))
	if strings.HasPrefix(p, "./") && !strings.HasPrefix(moved, "../") {
		moved = "./" + moved
	}
	if strings.HasSuffix(p, "/") {
		moved += "/"
	}
	return moved
}

// relative is the path from the folder of a file to another one.
func relative(from, to string) string {
	dir := strings.FieldsFunc(path.Dir("/"+from), func(r rune) bool { return r == '/' })
	parts := strings.Split(strings.TrimPrefix(path.Clean("/"+to), "/"), "/")
	same := 0
	for same < len(dir) && same < len(parts)-1 && dir[same] == parts[same] {
		same++
	}
	return strings.Repeat("../", len(dir)-same) + strings.Join(parts[same:], "/")
}

// address is an address that is taken apart: text before and behind the path is kept.
type address struct {
	prefix, path, suffix, fragment string
	before, behind                 string // of a shortcode
	escaped                        bool   // what is kept has to be escaped for its place
}

func (a address) rooted() bool {
	return strings.HasPrefix(a.path, "/") || strings.Contains(a.prefix, "//")
}

// parse takes an address apart as it is written.
func (l Links) parse(place Place, written string) address {
	var a address
	rest := written
	if written != place.Address {
		rest, a.escaped = place.Address, true
	}
	if strings.HasPrefix(rest, "{{") { // a shortcode: the file that it names
		if u := reference.Read(rest, ""); len(u) > 0 {
			file := u[0].Path
			if at := strings.Index(rest, file); at >= 0 {
				end := at + len(file)
				call := strings.LastIndex(rest, "}}") + len("}}")
				a.before, a.path, a.behind = rest[:at], file, rest[end:max(call, end)]
				_, a.fragment, _ = strings.Cut(rest[max(call, end):], "#")
				return a
			}
		}
	}
	if before, fragment, ok := strings.Cut(rest, "#"); ok {
		rest, a.fragment = before, fragment
	}
	if at := strings.IndexByte(rest, '?'); at >= 0 {
		rest, a.suffix = rest[:at], rest[at:]
	}
	if at := strings.Index(rest, "://"); at >= 0 {
		at += len("://")
		if strings.HasPrefix(rest, "pathname://") {
			a.prefix, a.path = rest[:at], rest[at:]
			return a
		}
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

// write puts an address together, with another anchor if that is wanted.
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
	if a.before != "" {
		text = a.before + a.path + a.behind
	}
	if a.fragment != "" || text == "" {
		text += "#" + a.fragment
	}
	if a.escaped && a.before == "" {
		text = strings.ReplaceAll(escape(text), "&", "&amp;")
	}
	return text
}

// escape has an address mean the same wherever one may be written.
func escape(text string) string {
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `"`, "%22", "'", "%27", `\`, "%5C", "`", "%60").Replace(text)
}

// escapeFile has the path of a file mean no more than that in an address.
func escapeFile(p string) string {
	return escape(strings.NewReplacer("%", "%25", "#", "%23", "?", "%3F").Replace(p))
}

// Escape has text mean no markup.
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
