package importer

import (
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/moment"
)

// dated is a member of front matter that is a date of publication.
type dated struct {
	name      string
	line      int
	at        time.Time
	vague     bool // at is the end of a year
	unpublish bool // it is when the page is no longer to be public
}

// readDate reads a date into the time that it is about. One that is not
// understood holds the page back, unless its year is past.
func (h *hold) readDate(name string, v octavo.Value, line int, into **time.Time) {
	if v.Kind == octavo.KindObject { // date: {created: …, updated: …} of Material for MkDocs
		created, key, ok := member(v, "created")
		if !ok {
			h.because(line, "%s is %s, which is not understood", name, shortJSON(v))
			return
		}
		name, v = name+"."+key, created
	}
	if v.Kind == octavo.KindNull || v.Kind != octavo.KindArray && slices.Contains([]string{"", "today", "now", "lastmodified"}, fold(scalar(v))) {
		return
	}
	times, vague := moment.Of(scalar(v))
	if len(times) == 0 {
		h.because(line, "%s is %s, which is not understood as a date", name, shortJSON(v))
		return
	}
	at := times[0] // of a date that can be read in two ways, the one that holds the page back for longer
	for _, t := range times[1:] {
		if t.After(at) == (into == &h.publish) {
			at = t
		}
	}
	if old := *into; old == nil || at.After(*old) == (into == &h.publish) {
		*into = &at
		h.vague = h.vague || vague
	}
	h.dates = append(h.dates, dated{name, line, at, vague, into == &h.unpublish})
}
