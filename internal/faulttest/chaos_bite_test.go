package faulttest

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/octavo-docs/octavo"
)

// fed makes a feed about one page: each event is its type and, where it is
// published, the page.
func fed(t testing.TB, id octavo.ID, causes ...cause) (feed []octavo.Event) {
	t.Helper()
	for i, x := range causes {
		about := object{"id": id}
		if x.kind == octavo.PagePublished {
			maps.Copy(about, x.page.body())
		}
		data, err := json.Marshal(about)
		if err != nil {
			t.Fatal(err)
		}
		feed = append(feed, octavo.Event{ID: octavo.ID(fmt.Sprint("evt_", id, i)), Type: x.kind, Data: data})
	}
	return feed
}

// States of a page, one after another.
var (
	bornState      = state{slug: "s", title: "a", content: "b", status: octavo.Draft, version: 1}
	publishedState = state{slug: "s", title: "a", content: "b", status: octavo.Published, version: 2}
	editedState    = state{slug: "s", title: "c", content: "b", status: octavo.Published, version: 3}
)

// The events of a change are those that the store records.
func TestCausesOf(t *testing.T) {
	t.Parallel()
	with := func(s state, status octavo.PageStatus, title string) state {
		return state{slug: s.slug, title: title, content: s.content, status: status, version: s.version + 1}
	}
	gone := publishedState.removed()
	back := gone
	back.deleted, back.version = false, 4
	for _, c := range []struct {
		name          string
		before, after state
		want          []octavo.EventType
	}{
		{"created", state{}, bornState, []octavo.EventType{octavo.PageCreated}},
		{"created and published", state{}, publishedState, []octavo.EventType{octavo.PageCreated, octavo.PagePublished}},
		{"nothing", bornState, bornState, nil},
		{"published", bornState, publishedState, []octavo.EventType{octavo.PagePublished}},
		{"edited and published", bornState, with(bornState, octavo.Published, "c"), []octavo.EventType{octavo.PageUpdated, octavo.PagePublished}},
		{"edited in public", publishedState, editedState, []octavo.EventType{octavo.PageUpdated}},
		{"withdrawn", publishedState, with(publishedState, octavo.Draft, "a"), []octavo.EventType{octavo.PageUnpublished}},
		{"archived", publishedState, with(publishedState, octavo.Archived, "a"), []octavo.EventType{octavo.PageArchived}},
		{"draft of archived", with(bornState, octavo.Archived, "a"), with(publishedState, octavo.Draft, "a"), []octavo.EventType{octavo.PageUpdated}},
		{"deleted", publishedState, gone, []octavo.EventType{octavo.PageDeleted}},
		{"restored", gone, back, []octavo.EventType{octavo.PageRestored, octavo.PagePublished}},
	} {
		var have []octavo.EventType
		for _, x := range causesOf(c.before, c.after) {
			have = append(have, x.kind)
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: have %v, want %v", c.name, have, c.want)
		}
	}
}

// A feed that does not match the changes of one client is detected, also with events of
// unknown pages.
func TestExpectedBites(t *testing.T) {
	t.Parallel()
	born, shown, edited := cause{octavo.PageCreated, bornState}, cause{octavo.PagePublished, publishedState}, cause{octavo.PageUpdated, editedState}
	lost := state{slug: "lost", title: "l", content: "l", status: octavo.Published}
	lostOne := lost
	lostOne.version = 1
	lostFeed := causesOf(state{}, lostOne)
	for _, c := range []struct {
		name  string
		known []octavo.Event // of a page that was made and published, and perhaps edited
		other []octavo.Event // of another, which was perhaps made
		fails bool
	}{
		{"as it should be", fed(t, "page_1", born, shown), nil, false},
		{"with what had no answer", fed(t, "page_1", born, shown, edited), fed(t, "page_2", lostFeed...), false},
		{"one is missing at the end", fed(t, "page_1", born), nil, true},
		{"one is missing in between", fed(t, "page_1", shown), nil, true},
		{"all are missing", nil, nil, true},
		{"in another order", fed(t, "page_1", shown, born), nil, true},
		{"one twice", fed(t, "page_1", born, shown, shown), nil, true},
		{"what had no answer twice", fed(t, "page_1", born, shown, edited, edited), nil, true},
		{"the same event twice", append(fed(t, "page_1", born, shown), fed(t, "page_1", born)...), nil, true},
		{"an event that nothing causes", fed(t, "page_1", born, shown, cause{octavo.PagePurged, state{}}), nil, true},
		{"another page in it", fed(t, "page_1", born, cause{octavo.PagePublished, editedState}), nil, true},
		{"a page that nobody made", fed(t, "page_1", born, shown), fed(t, "page_3", born), true},
		{"a part of what had no answer", fed(t, "page_1", born, shown), fed(t, "page_2", lostFeed[0]), true},
		{"what had no answer was made twice", fed(t, "page_1", born, shown), append(fed(t, "page_2", lostFeed...), fed(t, "page_4", lostFeed...)...), true},
	} {
		x := newExpected()
		p := &page{id: "page_1"}
		x.learn(effect{p, bornState}, state{})
		x.learn(effect{p, publishedState}, bornState)
		x.perhaps("page_1", publishedState, editedState)
		said := &complaints{TB: t}
		told := bySubject(said, append(c.known, c.other...))
		x.explain(said, told)
		explainCreated(said, told, []state{lost}, func(id octavo.ID) state {
			if id == "page_3" {
				return bornState
			}
			return lostOne
		})
		if (len(said.list) > 0) != c.fails || len(told) > 0 {
			t.Errorf("%s: have the complaints %q, want some: %t; %d left", c.name, said.list, c.fails, len(told))
		}
	}
}

// A feed that no order of several clients' operations explains is detected.
func TestToldModelBites(t *testing.T) {
	t.Parallel()
	born, shown, edited := cause{octavo.PageCreated, bornState}, cause{octavo.PagePublished, publishedState}, cause{octavo.PageUpdated, editedState}
	create := event{0, 1, input{kind: "create", to: bornState}, outputOf(201, bornState)}
	publish := event{2, 3, input{kind: "patch", to: state{status: octavo.Published}}, outputOf(200, publishedState)}
	edit := event{4, 5, input{kind: "patch", to: state{title: "c"}}, outputOf(200, editedState)}
	editUnknown := event{4, math.MaxInt64, edit.in, output{unknown: true}}
	remove := event{6, 7, input{kind: "delete"}, output{status: 204}}
	for _, c := range []struct {
		name   string
		events []event
		feed   []cause
		fails  bool
	}{
		{"as it should be", []event{create, publish, edit}, []cause{born, shown, edited}, false},
		{"an event is lost", []event{create, publish, edit}, []cause{born, edited}, true},
		{"the last event is lost", []event{create, publish, edit}, []cause{born, shown}, true},
		{"an event twice", []event{create, publish, edit}, []cause{born, shown, edited, edited}, true},
		{"an event that nobody caused", []event{create, publish}, []cause{born, shown, {octavo.PageArchived, state{}}}, true},
		{"the order of the changes is another", []event{create, publish, edit}, []cause{born, edited, shown}, true},
		{"the page in it is another", []event{create, publish}, []cause{born, {octavo.PagePublished, editedState}}, true},
		{"no answer, and it is told", []event{create, publish, editUnknown}, []cause{born, shown, edited}, false},
		{"no answer, and it is not told", []event{create, publish, editUnknown}, []cause{born, shown}, false},
		{"no answer, and it is told twice", []event{create, publish, editUnknown}, []cause{born, shown, edited, edited}, true},
		{"no answer, it was read and is not told", []event{create, publish, editUnknown, {6, 7, input{kind: "read"}, outputOf(200, editedState)}}, []cause{born, shown}, true},
		{"a deletion that is told", []event{create, publish, edit, remove}, []cause{born, shown, edited, {octavo.PageDeleted, state{}}}, false},
		{"a deletion that is not told", []event{create, publish, edit, remove}, []cause{born, shown, edited}, true},
	} {
		var ops []porcupine.Operation
		for i, e := range c.events {
			ops = append(ops, porcupine.Operation{ClientId: i, Call: e.call, Return: e.end, Input: e.in, Output: e.out})
		}
		said := &complaints{TB: t}
		explainMixed(said, "page_1", ops, fed(t, "page_1", c.feed...))
		if (len(said.list) > 0) != c.fails {
			t.Errorf("%s: have the complaints %q, want some: %t", c.name, said.list, c.fails)
		}
	}
}

func outputOf(status int, s state) output { return output{status: status, page: s} }

// Files that differ from the uploads are detected, and so are wrong statements about them.
func TestUploaderBites(t *testing.T) {
	t.Parallel()
	const size = 100
	kept, gone, leaving, extra := octavo.ID("asset_1"), octavo.ID("asset_2"), octavo.ID("asset_3"), octavo.ID("asset_4")
	made, removed := cause{octavo.AssetCreated, state{}}, cause{octavo.AssetDeleted, state{}}
	files := func(pairs ...string) map[octavo.ID]string {
		m := map[octavo.ID]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[octavo.ID(pairs[i])] = pairs[i+1]
		}
		return m
	}
	tell := func(parts ...[]octavo.Event) []octavo.Event { return slices.Concat(parts...) }
	usual := tell(fed(t, kept, made), fed(t, gone, made, removed), fed(t, leaving, made))
	for _, c := range []struct {
		name  string
		there map[octavo.ID]string // names of what is listed
		feed  []octavo.Event
		fails bool
	}{
		{"as it should be", files("asset_1", "kept", "asset_3", "leaving"), usual, false},
		{"a deletion without an answer was carried out", files("asset_1", "kept"), tell(usual[:3], fed(t, leaving, made, removed)), false},
		{"one without an answer is there", files("asset_1", "kept", "asset_4", "extra"), tell(usual, fed(t, extra, made)), false},
		{"one without an answer is there twice", files("asset_1", "kept", "asset_4", "extra", "asset_5", "extra"), tell(usual, fed(t, extra, made), fed(t, "asset_5", made)), true},
		{"one that nobody sent is there", files("asset_1", "kept", "asset_6", "other"), tell(usual, fed(t, "asset_6", made)), true},
		{"one is lost", files("asset_3", "leaving"), usual, true},
		{"one that was deleted is there", files("asset_1", "kept", "asset_2", "gone"), usual, true},
		{"one is another", files("asset_1", "leaving"), usual, true},
		{"one is not told", files("asset_1", "kept"), usual[1:], true},
		{"one is told twice", files("asset_1", "kept"), tell(usual, fed(t, kept, made)), true},
		{"a deletion is not told", files("asset_1", "kept"), tell(usual[:2], usual[3:]), true},
		{"one without an answer is there and not told", files("asset_1", "kept", "asset_4", "extra"), usual, true},
		{"one is told that is not there", files("asset_1", "kept"), tell(usual, fed(t, "asset_6", made)), true},
	} {
		said := &complaints{TB: t}
		u := newUploader(said, nil, nil)
		u.answered[kept], u.gone[gone], u.leaving[leaving], u.unanswered["extra"] = "kept", true, "leaving", size
		listed := map[octavo.ID]octavo.Asset{}
		bodies := map[string][]byte{}
		for id, name := range c.there {
			body, err := io.ReadAll(&filler{name: name, size: size})
			if err != nil {
				t.Fatal(err)
			}
			bodies[string(id)] = body
			listed[id] = octavo.Asset{ID: id, URL: string(id), Size: size, SHA256: fmt.Sprintf("%x", sha256.Sum256(body))}
		}
		u.compare(said, listed, func(address string) ([]byte, error) { return bodies[address], nil })
		told := map[octavo.ID][]octavo.Event{}
		for _, e := range c.feed {
			id := subject(t, e)
			told[id] = append(told[id], e)
		}
		u.explain(said, told)
		if (len(said.list)+len(told) > 0) != c.fails {
			t.Errorf("%s: have the complaints %q and %d unexplained, want some: %t", c.name, said.list, len(told), c.fails)
		}
	}
	said := &complaints{TB: t}
	u := newUploader(said, nil, nil)
	u.answered[kept] = "kept"
	u.compare(said, map[octavo.ID]octavo.Asset{kept: {Size: size}}, func(string) ([]byte, error) { return nil, errors.New("lost") })
	if len(said.list) == 0 {
		t.Error("a file that cannot be read: have no complaints")
	}
}

// Events of unknown exports are detected, and so are missing ones.
func TestExporterBites(t *testing.T) {
	t.Parallel()
	ready, failed := cause{octavo.ExportIsReady, state{}}, cause{octavo.ExportHasFailed, state{}}
	for _, c := range []struct {
		name  string
		feed  []octavo.Event
		fails bool
	}{
		{"as it should be", fed(t, "exp_1", ready), false},
		{"with one that had no answer", append(fed(t, "exp_1", ready), fed(t, "exp_2", ready)...), false},
		{"none is told", nil, true},
		{"twice", fed(t, "exp_1", ready, ready), true},
		{"failed", fed(t, "exp_1", failed), true},
		{"two too many", slices.Concat(fed(t, "exp_1", ready), fed(t, "exp_2", ready), fed(t, "exp_3", ready)), true},
	} {
		said := &complaints{TB: t}
		x := &exporter{t: said, accepted: map[octavo.ID]octavo.ExportFormat{"exp_1": "pdf"}, maybe: 1}
		told := bySubject(said, c.feed)
		x.explain(said, told)
		if (len(said.list) > 0) != c.fails || len(told) > 0 {
			t.Errorf("%s: have the complaints %q, want some: %t; %d left", c.name, said.list, c.fails, len(told))
		}
	}
}

// What comes again behind a later event of its page is counted.
func TestLate(t *testing.T) {
	t.Parallel()
	at := time.Unix(1, 0)
	key := func(event octavo.ID) arrivalKey { return arrivalKey{"/a", event} }
	b := &inbox{numbers: map[arrivalKey]int{key("1"): 0, key("2"): 1, key("3"): 2}, taken: []arrival{{key("1"), at}, {key("2"), at.Add(1)}, {key("3"), at.Add(3)}}}
	wanted := []want{{"/a", []octavo.ID{"1", "2", "3"}, []octavo.ID{"p", "q", "p"}}}
	b.again = []arrival{{key("1"), at.Add(2)}, {key("1"), at.Add(4)}, {key("2"), at.Add(5)}, {key("3"), at.Add(6)}}
	if have := b.late(wanted); have != 1 {
		t.Errorf("have %d, want 1", have)
	}
}
