package html

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// href returns the target of a link, "" if it must not be rendered.
func (w *writer) href(n document.Node, written string) (to string, found bool) {
	to, ok := reference.Safe(written)
	if !ok {
		w.notice(document.UnsafeAddress, n, written)
		return "", false
	}
	fragment := reference.Fragment(to)
	if reference.Local(to) {
		anchor := w.doc.Anchors().Find(fragment)
		w.anchored(n, written, fragment, anchor)
		return cmp.Or((&url.URL{Fragment: cmp.Or(anchor, fragment)}).String(), "#"), true
	}
	if to, found = resolve(to, w.options.Link); !found {
		w.notice(document.UnresolvedLink, n, written)
		return to, false
	}
	w.anchored(n, written, fragment, reference.Fragment(to))
	return to, true
}

// anchored gives a notice if a link leads to a similar anchor, or to none.
func (w *writer) anchored(n document.Node, written, fragment, anchor string) {
	if reference.Meets(written, fragment, anchor) {
		return
	}
	if anchor != "" {
		written += " → #" + anchor
	}
	w.notice(document.UnresolvedAnchor, n, written)
}

// src returns the address of an image, "" if it must not be rendered.
func (w *writer) src(n document.Node, written string) (to string, found bool) {
	if isPicture(written) {
		return written, true
	}
	to, ok := reference.Safe(written)
	if s := reference.Scheme(to); !ok || s == "mailto" || s == "tel" {
		w.notice(document.UnsafeAddress, n, written)
		return "", false
	}
	if to, found = resolve(to, w.options.Image); !found {
		w.notice(document.UnresolvedImage, n, written)
	}
	return to, found
}

// resolve resolves a URI reference, and returns it unchanged if it is not found.
func resolve(written string, resolve func(string) (string, bool)) (to string, found bool) {
	if resolve == nil || !reference.Resolvable(written) {
		return reference.Plain(written), true
	}
	to, found = resolve(written)
	if !found {
		return reference.Plain(written), false
	}
	if isPicture(to) {
		return to, true
	}
	return reference.Safe(to)
}

// isPicture reports whether a data URL is a picture in a format without scripts.
func isPicture(s string) bool {
	for _, format := range []string{"png", "jpeg", "gif", "webp"} {
		if rest, ok := strings.CutPrefix(s, "data:image/"+format+";base64,"); ok {
			return strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
		}
	}
	return false
}
