package importer

import (
	"context"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/moment"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// times returns when the server should publish the page and make it a draft again. A page
// imported as a draft stays one.
func (p *publication) times(opts Options) (publish, unpublish *time.Time) {
	publish, unpublish = p.schedule(opts.Now)
	if opts.Status != octavo.Published {
		publish = nil
	}
	return publish, unpublish
}

// rescheduled reports whether the page needs other times. Like the status, they follow
// changes of the file; changes in the target stay.
func (f *file) rescheduled(opts Options) bool {
	publish, unpublish := f.meta.publication.times(opts)
	if f.known == nil {
		return publish != nil || unpublish != nil
	}
	oldPublish, oldUnpublish := f.known.publication.times(opts)
	return !sameTime(publish, oldPublish) || !sameTime(unpublish, oldUnpublish)
}

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// schedule sets the times of pages. Existing pages are scheduled before their text
// changes, so that an interrupted import sees the difference again; new ones after
// creation.
func (a *applier) schedule(ctx context.Context, files []*file, known bool) error {
	var operations []octavo.BulkOperation
	var asked []*file
	for _, f := range files {
		if known != (f.known != nil) || !known && !f.done || !f.rescheduled(a.opts) {
			continue
		}
		id := f.id
		if known {
			id = f.known.id
		}
		publish, unpublish := f.meta.publication.times(a.opts)
		operations = append(operations, octavo.BulkOperation{Op: octavo.BulkUpdate, ID: id, Patch: &octavo.PagePatch{
			Publish: &octavo.OptTime{Value: publish}, Unpublish: &octavo.OptTime{Value: unpublish},
		}})
		asked = append(asked, f)
	}
	if len(operations) == 0 {
		return nil
	}
	results, err := a.target.Apply(ctx, operations)
	for i, r := range results {
		if r.Err != nil {
			asked[i].entry.Failed = true
			asked[i].entry.note(1, "publishAt and unpublishAt were refused: %s", refusal(r.Err))
		}
	}
	return err
}

// turned reports whether the file itself, not an inherited value, has become a draft
// since the last import.
func (f *file) turned(now time.Time) bool {
	return f.own.draft(now) && !f.known.own.draft(now)
}

// noteDraft reports why a file is a draft.
func (f *file) noteDraft(opts Options) {
	h := &f.meta.publication
	public := f.known != nil && f.known.status == octavo.Published && h.draft(opts.Now) && f.known.publication.draft(opts.Now) && !f.turned(opts.Now)
	switch {
	case public && !f.made && !f.own.draft(opts.Now):
		f.entry.note(h.line, "the page stays published, and its status does not change: %s", h.why)
		public = false
	case h.why != "":
		f.entry.note(h.line, "kept as a draft: %s", h.why)
	}
	publish, _ := h.times(opts)
	scheduled := publish != nil && (f.known == nil || f.rescheduled(opts) || sameTime(publish, f.known.publish))
	for _, d := range h.dates {
		at := d.at.Format(time.RFC3339)
		switch {
		case d.vague && d.at.After(opts.Now):
			f.entry.note(d.line, "kept as a draft: %s is not understood as a date", d.name)
		case d.unpublish && !d.at.After(opts.Now):
			f.entry.note(d.line, "kept as a draft: %s is past (%s)", d.name, at)
		case d.unpublish:
			f.entry.note(d.line, "%s is to come, so a published page becomes a draft at %s (unpublishAt)", d.name, at)
		case d.at.After(opts.Now) && scheduled && d.at.Equal(*publish):
			f.entry.note(d.line, "kept as a draft until %s (publishAt): %s is to come", at, d.name)
		case d.at.After(opts.Now):
			f.entry.note(d.line, "kept as a draft: %s is to come (%s)", d.name, at)
		}
	}
	if public {
		f.entry.note(1, "the page stays published, because its status was changed since the import")
	}
}

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
	if v.Kind == octavo.KindNull || v.Kind != octavo.KindArray && slices.Contains([]string{"", "today", "now", "lastmodified"}, fold(settings.Scalar(v))) {
		return
	}
	times, vague := moment.Of(settings.Scalar(v))
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
