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
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// publication says when a file is public. The zero value is always public.
type publication struct {
	why       string     // reason for a draft; "" for none
	line      int        // line of the reason
	publish   *time.Time // draft until then
	unpublish *time.Time // draft after that
	dates     []dated    // the sources of publish and unpublish
	vague     bool       // publish is only a year
}

func (p *publication) draft(now time.Time) bool {
	return p.why != "" || p.publish != nil && p.publish.After(now) || p.unpublish != nil && !p.unpublish.After(now)
}

// schedule returns the future times at which to publish the page and to make it a
// draft again.
func (p *publication) schedule(now time.Time) (publish, unpublish *time.Time) {
	if p.why != "" || p.unpublish != nil && !p.unpublish.After(now) {
		return nil, nil
	}
	if p.publish != nil && p.publish.After(now) {
		if p.vague {
			return nil, nil
		}
		publish = p.publish
		if p.unpublish != nil && !p.unpublish.After(*publish) {
			return nil, nil // never public
		}
	}
	return publish, p.unpublish
}

// because makes the page a draft, unless another reason already does.
func (p *publication) because(line int, format string, args ...any) {
	if p.why == "" {
		p.why, p.line = fmt.Sprintf(format, args...), line
	}
}

// publicationOf reads path and front matter.
func publicationOf(file string, front octavo.Value, line func(key string) int) (p publication) {
	p.readPath(file, front)
	var date *octavo.Member
	for i, m := range front.Members {
		switch key := fold(m.Name); {
		case key == "date":
			date = &front.Members[i]
		case slices.Contains([]string{"build", "params", "meta", "metadata", "extra", "page", "publishing", "eleventycomputed"}, key):
			for _, inner := range m.Value.Members {
				of := map[string]string{"build": "build"}[key] // of Hugo; _build before 0.123
				p.read(m.Name+"."+inner.Name, of+fold(inner.Name), inner.Value, line(inner.Name))
			}
		default:
			why, dates := p.why, len(p.dates)
			if p.read(m.Name, key, m.Value, 0); p.why != why {
				p.line = line(m.Name) // slow, so only looked up if needed
			}
			for i := range p.dates[dates:] {
				p.dates[dates+i].line = line(m.Name)
			}
		}
	}
	if p.publish == nil && date != nil { // Hugo's fallback
		p.readDate(date.Name, date.Value, line(date.Name), &p.publish)
	}
	if at, ok := filename.Date(file); ok && p.publish == nil {
		p.publish = &at
		p.dates = append(p.dates, dated{name: "the date in its name", line: 1, at: at})
	}
	return p
}

// fold normalises a key: publishDate, publish_date and PublishDate are equal.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// read reads one member that may restrict publication. Empty values are ignored.
func (p *publication) read(name, key string, v octavo.Value, line int) {
	if v.Kind == octavo.KindNull || v.Kind == octavo.KindString && strings.TrimSpace(v.Str) == "" || v.Kind == octavo.KindArray && len(v.Items) == 0 && key != "outputs" {
		return
	}
	switch key {
	case "draft", "isdraft", "drafts", "saveasdraft", "unlisted", "hidden", "headless", "private", "isprivate", "internal", "wip",
		"unpublished", "notpublished", "nopublish", "donotpublish", "secret", "confidential", "deleted", "trashed", "disabled", "expired", "eleventyexcludefromcollections":
		p.readWord(name, v, line, true)
	case "published", "ispublished", "publish", "dgpublish", "public", "ispublic", "listed", "visible", "routable", "render", "live", "enabled":
		if times, _ := moment.Of(settings.Scalar(v)); len(times) > 0 && strings.HasPrefix(key, "publish") {
			p.readDate(name, v, line, &p.publish)
			return
		}
		p.readWord(name, v, line, false)
	case "buildrender", "buildlist":
		switch word := strings.ToLower(settings.Scalar(v)); {
		case word == "always" || word == "local" && key == "buildlist":
		case word == "never" || word == "link":
			p.because(line, "%s is %s", name, word)
		default:
			p.readWord(name, v, line, false)
		}
	case "permalink": // Eleventy writes no page
		if truth, ok := settings.Truth(v); ok && !truth {
			p.because(line, "%s is false", name)
		}
	case "outputs": // Hugo writes no page
		if v.Kind == octavo.KindArray && len(v.Items) == 0 {
			p.because(line, "%s is empty", name)
		}
	case "password", "groups", "viewers": // the last two restrict readers (Mintlify, Fern)
		p.because(line, "%s is set", name)
	case "status", "state", "poststatus", "pagestatus", "publishstatus", "publicationstatus", "stage", "workflow", "visibility", "access", "classification", "audience":
		p.readStatus(name, key, v, line)
	case "publishdate", "pubdate", "publishat", "publishon", "publishedat", "publishedon", "publisheddate", "datepublished", "embargo",
		"embargountil", "publishafter", "publishfrom", "publishtime", "schedule", "scheduled", "scheduledat", "scheduledfor", "golive", "golivedate", "livedate", "embargodate",
		"releasedate", "postdate", "posted", "publicationdate", "scheduleddate", "scheduledpublishdate", "availablefrom", "visiblefrom":
		p.readDate(name, v, line, &p.publish)
	case "expiry", "expire", "expiration", "expirydate", "expirationdate", "expiredate", "expireat", "expires", "expiresat", "expireson", "unpublishdate", "unpublishat", "unpublishon", "validuntil":
		if truth, ok := settings.Truth(v); !slices.Contains([]string{"never", "none"}, fold(settings.Scalar(v))) && (!ok || truth) {
			p.readDate(name, v, line, &p.unpublish)
		}
	}
}

// readWord reads a Boolean in any spelling. The page is a draft if the value equals
// holds or is not understood.
func (p *publication) readWord(name string, v octavo.Value, line int, holds bool) {
	truth, ok := settings.Truth(v)
	switch {
	case !ok:
		p.because(line, "%s is %s, which is not understood", name, shortJSON(v))
	case truth == holds:
		p.because(line, "%s is %s", name, shortJSON(v))
	}
}

// shortJSON formats a value for a note.
func shortJSON(v octavo.Value) string { return fmt.Sprintf("%.80s", v.AppendJSON(nil)) }

// readStatus reads a status. Generators also use the key for other purposes, so only
// some values make a draft.
func (p *publication) readStatus(name, key string, v octavo.Value, line int) {
	list := []octavo.Value{v}
	if v.Kind == octavo.KindArray {
		list = v.Items
	}
	for _, m := range v.Members { // status: {name: draft}
		list = append(list, m.Value)
	}
	for _, item := range list {
		word := fold(settings.Scalar(item))
		held := slices.Contains([]string{
			"draft", "drafts", "unpublished", "private", "hidden", "unlisted", "pending", "future", "scheduled",
			"review", "inreview", "tobereviewed", "notpublished", "wip", "inprogress", "workinprogress", "trash", "deleted", "skip", "internal", "confidential", "secret", "restricted", "members",
		}, word) || strings.HasPrefix(word, "draft")
		open := slices.Contains([]string{"public", "visible", "published", "everyone", "all", "anyone", "listed", "true"}, word)
		if held || !open && key == "visibility" {
			p.because(line, "%s is %s", name, shortJSON(v))
		}
	}
}

// readPath makes drafts of files in a folder of drafts or named as one. A folder
// without an underscore may be about drafts; its files can say otherwise.
func (p *publication) readPath(file string, front octavo.Value) {
	draft, _, _ := member(front, "draft")
	isDraft, isSaid := settings.Truth(draft)
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		_, name, _ := filename.SplitNumber(dir)
		plain := strings.ToLower(strings.TrimLeft(name, "_"))
		underscore := plain != strings.ToLower(name)
		if slices.Contains([]string{"draft", "drafts", "wip", "unpublished"}, plain) && (underscore || isDraft || !isSaid) ||
			underscore && slices.Contains([]string{"private", "hidden", "trash", "internal", "unlisted", "secret", "confidential"}, plain) {
			p.because(1, "it is in the folder %s", dir)
		}
	}
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	if strings.HasSuffix(stem, ".draft") {
		p.because(1, "its name ends with .draft")
	}
}
