package importer

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/moment"
)

// hold is how the author of a file holds its page back. The zero value does not.
type hold struct {
	why       string     // of a draft; "" for none
	line      int        // where that stands
	publish   *time.Time // not before
	unpublish *time.Time // not after
	dates     []dated    // what the two are made of
	vague     bool       // publish is made of a year alone
}

// draft reports whether the page is to be a draft now.
func (h *hold) draft(now time.Time) bool {
	return h.why != "" || h.publish != nil && h.publish.After(now) || h.unpublish != nil && !h.unpublish.After(now)
}

// schedule returns the times to come at which the page is to be published and
// to become a draft again.
func (h *hold) schedule(now time.Time) (publish, unpublish *time.Time) {
	if h.why != "" || h.unpublish != nil && !h.unpublish.After(now) {
		return nil, nil
	}
	if h.publish != nil && h.publish.After(now) {
		if h.vague {
			return nil, nil
		}
		publish = h.publish
		if h.unpublish != nil && !h.unpublish.After(*publish) {
			return nil, nil // it would never be public
		}
	}
	return publish, h.unpublish
}

// because holds the page back for a reason, unless it is already.
func (h *hold) because(line int, format string, args ...any) {
	if h.why == "" {
		h.why, h.line = fmt.Sprintf(format, args...), line
	}
}

// holdOf tells how a file is held back by its path and its front matter.
func holdOf(file string, front octavo.Value, line func(key string) int) (h hold) {
	h.readPath(file, front)
	var date *octavo.Member
	for i, m := range front.Members {
		switch key := fold(m.Name); {
		case key == "date":
			date = &front.Members[i]
		case slices.Contains([]string{"build", "params", "meta", "metadata", "extra", "page", "publishing", "eleventycomputed"}, key):
			for _, inner := range m.Value.Members {
				of := map[string]string{"build": "build"}[key] // of Hugo; before 0.123 it was _build
				h.read(m.Name+"."+inner.Name, of+fold(inner.Name), inner.Value, line(inner.Name))
			}
		default:
			why, dates := h.why, len(h.dates)
			if h.read(m.Name, key, m.Value, 0); h.why != why {
				h.line = line(m.Name) // which is slow, so that only what holds back is looked for
			}
			for i := range h.dates[dates:] {
				h.dates[dates+i].line = line(m.Name)
			}
		}
	}
	if h.publish == nil && date != nil { // Hugo takes it where nothing else says when
		h.readDate(date.Name, date.Value, line(date.Name), &h.publish)
	}
	if at, ok := filename.Date(file); ok && h.publish == nil {
		h.publish = &at
		h.dates = append(h.dates, dated{name: "the date in its name", line: 1, at: at})
	}
	return h
}

// fold makes one of the spellings of a key: publishDate, publish_date and
// PublishDate are the same.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// read reads one member that may hold a page back. An empty value says nothing.
func (h *hold) read(name, key string, v octavo.Value, line int) {
	if v.Kind == octavo.KindNull || v.Kind == octavo.KindString && strings.TrimSpace(v.Str) == "" || v.Kind == octavo.KindArray && len(v.Items) == 0 && key != "outputs" {
		return
	}
	switch key {
	case "draft", "isdraft", "drafts", "saveasdraft", "unlisted", "hidden", "headless", "private", "isprivate", "internal", "wip",
		"unpublished", "notpublished", "nopublish", "donotpublish", "secret", "confidential", "deleted", "trashed", "disabled", "expired", "eleventyexcludefromcollections":
		h.readWord(name, v, line, true)
	case "published", "ispublished", "publish", "dgpublish", "public", "ispublic", "listed", "visible", "routable", "render", "live", "enabled":
		if times, _ := moment.Of(scalar(v)); len(times) > 0 && strings.HasPrefix(key, "publish") {
			h.readDate(name, v, line, &h.publish)
			return
		}
		h.readWord(name, v, line, false)
	case "buildrender", "buildlist":
		switch word := strings.ToLower(scalar(v)); {
		case word == "always" || word == "local" && key == "buildlist":
		case word == "never" || word == "link":
			h.because(line, "%s is %s", name, word)
		default:
			h.readWord(name, v, line, false)
		}
	case "permalink": // Eleventy writes no page
		if truth, ok := truthOf(v); ok && !truth {
			h.because(line, "%s is false", name)
		}
	case "outputs": // Hugo writes no page
		if v.Kind == octavo.KindArray && len(v.Items) == 0 {
			h.because(line, "%s is empty", name)
		}
	case "password", "groups", "viewers": // the last two are who may see it (Mintlify, Fern)
		h.because(line, "%s is set", name)
	case "status", "state", "poststatus", "pagestatus", "publishstatus", "publicationstatus", "stage", "workflow", "visibility", "access", "classification", "audience":
		h.readStatus(name, key, v, line)
	case "publishdate", "pubdate", "publishat", "publishon", "publishedat", "publishedon", "publisheddate", "datepublished", "embargo",
		"embargountil", "publishafter", "publishfrom", "publishtime", "schedule", "scheduled", "scheduledat", "scheduledfor", "golive", "golivedate", "livedate", "embargodate",
		"releasedate", "postdate", "posted", "publicationdate", "scheduleddate", "scheduledpublishdate", "availablefrom", "visiblefrom":
		h.readDate(name, v, line, &h.publish)
	case "expiry", "expire", "expiration", "expirydate", "expirationdate", "expiredate", "expireat", "expires", "expiresat", "expireson", "unpublishdate", "unpublishat", "unpublishon", "validuntil":
		if truth, ok := truthOf(v); !slices.Contains([]string{"never", "none"}, fold(scalar(v))) && (!ok || truth) {
			h.readDate(name, v, line, &h.unpublish)
		}
	}
}

// readWord reads a member whose value is a truth, in any spelling. A page is
// held back where it is holds, or is not understood.
func (h *hold) readWord(name string, v octavo.Value, line int, holds bool) {
	truth, ok := truthOf(v)
	switch {
	case !ok:
		h.because(line, "%s is %s, which is not understood", name, shortJSON(v))
	case truth == holds:
		h.because(line, "%s is %s", name, shortJSON(v))
	}
}

// truthOf reads a truth in words or numbers.
func truthOf(v octavo.Value) (truth, ok bool) {
	switch strings.ToLower(strings.TrimSpace(scalar(v))) {
	case "true", "yes", "on", "y", "t", "1", "1.0":
		return true, true
	case "false", "no", "off", "n", "f", "0", "0.0":
		return false, true
	}
	return false, false
}

// shortJSON is a value as a note quotes it.
func shortJSON(v octavo.Value) string { return fmt.Sprintf("%.80s", v.AppendJSON(nil)) }

// readStatus reads a word that says where the page stands. Generators use
// status for other things as well, so that only some words of it hold back.
func (h *hold) readStatus(name, key string, v octavo.Value, line int) {
	list := []octavo.Value{v}
	if v.Kind == octavo.KindArray {
		list = v.Items
	}
	for _, m := range v.Members { // status: {name: draft}
		list = append(list, m.Value)
	}
	for _, item := range list {
		word := fold(scalar(item))
		held := slices.Contains([]string{
			"draft", "drafts", "unpublished", "private", "hidden", "unlisted", "pending", "future", "scheduled",
			"review", "inreview", "tobereviewed", "notpublished", "wip", "inprogress", "workinprogress", "trash", "deleted", "skip", "internal", "confidential", "secret", "restricted", "members",
		}, word) || strings.HasPrefix(word, "draft")
		open := slices.Contains([]string{"public", "visible", "published", "everyone", "all", "anyone", "listed", "true"}, word)
		if held || !open && key == "visibility" {
			h.because(line, "%s is %s", name, shortJSON(v))
		}
	}
}

// readPath holds back what is in a folder of drafts, or is named as one. A folder
// without an underscore may be about drafts, which its files can say.
func (h *hold) readPath(file string, front octavo.Value) {
	draft, _, _ := member(front, "draft")
	isDraft, isSaid := truthOf(draft)
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		_, name, _ := filename.SplitNumber(dir)
		plain := strings.ToLower(strings.TrimLeft(name, "_"))
		underscore := plain != strings.ToLower(name)
		if slices.Contains([]string{"draft", "drafts", "wip", "unpublished"}, plain) && (underscore || isDraft || !isSaid) ||
			underscore && slices.Contains([]string{"private", "hidden", "trash", "internal", "unlisted", "secret", "confidential"}, plain) {
			h.because(1, "it is in the folder %s", dir)
		}
	}
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	if strings.HasSuffix(stem, ".draft") {
		h.because(1, "its name ends with .draft")
	}
}
