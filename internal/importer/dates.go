package importer

import (
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/moment"
)

// dated is a publication date in front matter.
type dated struct {
	name      string
	line      int
	at        time.Time
	vague     bool // at is the end of a year
	unpublish bool // at is when the page becomes a draft again
}

// readDate reads a date. A date that cannot be parsed makes the page a draft, unless
// its year is past.
func (p *publication) readDate(name string, v octavo.Value, line int, into **time.Time) {
	if v.Kind == octavo.KindObject { // date: {created: …, updated: …} of Material for MkDocs
		created, key, ok := member(v, "created")
		if !ok {
			p.because(line, "%s is %s, which is not understood", name, shortJSON(v))
			return
		}
		name, v = name+"."+key, created
	}
	if v.Kind == octavo.KindNull || v.Kind != octavo.KindArray && slices.Contains([]string{"", "today", "now", "lastmodified"}, fold(scalar(v))) {
		return
	}
	times, vague := moment.Of(scalar(v))
	if len(times) == 0 {
		p.because(line, "%s is %s, which is not understood as a date", name, shortJSON(v))
		return
	}
	at := times[0] // of an ambiguous date, the reading that keeps the page a draft for longer
	for _, t := range times[1:] {
		if t.After(at) == (into == &p.publish) {
			at = t
		}
	}
	if old := *into; old == nil || at.After(*old) == (into == &p.publish) {
		*into = &at
		p.vague = p.vague || vague
	}
	p.dates = append(p.dates, dated{name, line, at, vague, into == &p.unpublish})
}
