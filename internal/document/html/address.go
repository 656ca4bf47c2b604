package html

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// href returns where a link leads, "" when it may lead nowhere.
func (w *writer) href(n document.Node, written string) (to string, found bool) {
	to, ok := reference.Safe(written)
	if !ok {
		w.notice(document.UnsafeAddress, n, written)
		return "", false
	}
	fragment := reference.Fragment(to)
	if reference.Local(to) {
		return w.place(n, written, fragment), true
	}
	to, found = w.resolve(n, to, w.options.Link, document.UnresolvedLink)
	if leads := reference.Fragment(to); found && fragment != "" && leads != fragment {
		w.anchored(n, written, leads)
	}
	return to, found
}

// place returns the place on the page itself that a link means.
func (w *writer) place(n document.Node, written, fragment string) string {
	if w.anchors == nil {
		w.anchors = reference.NewAnchors(w.doc.Anchors())
	}
	anchor := w.anchors.Find(fragment)
	if anchor != fragment {
		w.anchored(n, written, anchor)
	}
	if fragment == "" {
		return "#"
	}
	return (&url.URL{Fragment: cmp.Or(anchor, fragment)}).String()
}

// anchored tells that a link leads to another anchor than what was written, "" to
// none.
func (w *writer) anchored(n document.Node, written, anchor string) {
	if anchor != "" {
		written += " → #" + anchor
	}
	w.notice(document.UnresolvedAnchor, n, written)
}

// src returns where an image lies, "" when it is not to be shown.
func (w *writer) src(n document.Node, written string) (to string, found bool) {
	if isPicture(written) {
		return written, true
	}
	to, ok := reference.Safe(written)
	if s := reference.Scheme(to); !ok || s == "mailto" || s == "tel" {
		w.notice(document.UnsafeAddress, n, written)
		return "", false
	}
	return w.resolve(n, to, w.options.Image, document.UnresolvedImage)
}

func (w *writer) resolve(n document.Node, written string, resolve func(string) (string, bool), kind document.NoticeKind) (to string, found bool) {
	if resolve == nil || !reference.Resolvable(written) {
		return reference.Plain(written), true
	}
	to, found = resolve(written)
	if !found {
		w.notice(kind, n, written)
		return reference.Plain(written), false
	}
	if isPicture(to) {
		return to, true
	}
	return reference.Safe(to)
}

// isPicture reports whether an address holds a picture in a format that cannot
// run anything.
func isPicture(s string) bool {
	for _, format := range []string{"png", "jpeg", "gif", "webp"} {
		if rest, ok := strings.CutPrefix(s, "data:image/"+format+";base64,"); ok {
			return strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
		}
	}
	return false
}
