package faulttest

import (
	"net/http"
	"testing"

	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// complaints records failures instead of failing a test.
type complaints struct {
	testing.TB
	list []string
}

// Errorf notes the format of a complaint.
func (c *complaints) Errorf(format string, _ ...any) { c.list = append(c.list, format) }

// The writers detect a server that breaks its promises.
func TestWritersBite(t *testing.T) {
	t.Parallel()
	forgetful := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Idempotency-Key")
			h.ServeHTTP(w, r)
		})
	}
	// sent carries an operation out without telling the writer.
	sent := func(w *writer, op *operation) *operation {
		if a, err := w.api.do(t.Context(), op.call); err != nil || a.status >= 300 {
			t.Errorf("%s: %s, %v", op, a, err)
		}
		return op
	}
	live := func(w *writer) (list []*page) {
		for _, p := range w.pages {
			if !p.deleted {
				list = append(list, p)
			}
		}
		return list
	}
	// opened returns a proposal that is not merged.
	opened := func(w *writer) *proposal {
		for w.open == nil {
			if err := w.work(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return w.open
	}
	for _, c := range []struct {
		name string
		wrap func(http.Handler) http.Handler
		do   func(*writer)
		want string // what is counted: lost, doubled, halves, or nothing
	}{
		{"nothing happens", nil, func(*writer) {}, ""},
		{"an answer is lost and the operation repeated", nil, func(w *writer) { w.pending = sent(w, w.bulk(live(w))) }, ""},
		{"a request is lost", nil, func(w *writer) { w.pending = w.bulk(live(w)) }, ""},
		{"the answer to a patch is lost", nil, func(w *writer) { w.pending = sent(w, w.patch(live(w)[0])) }, ""},
		{"the answer to a deletion is lost", nil, func(w *writer) { w.pending = sent(w, w.remove(live(w)[0])) }, ""},
		{"a page vanishes", nil, func(w *writer) { sent(w, w.remove(live(w)[0])) }, "lost"},
		{"a change vanishes", nil, func(w *writer) { p := live(w)[0]; w.take(w.patch(p).effects[0]) }, "lost"},
		{"a page appears", nil, func(w *writer) { sent(w, w.create()) }, "doubled"},
		{"an operation is half done", nil, func(w *writer) {
			op := w.bulk(live(w))
			e := op.effects[0]
			sent(w, &operation{call: call{method: http.MethodPost, path: "/pages", body: e.after.body()}})
			w.pending = op
		}, "halves"},
		{"the answer to a merge is lost", nil, func(w *writer) { w.pending = sent(w, w.merge(opened(w))) }, ""},
		{"a merge is lost", nil, func(w *writer) { w.pending = w.merge(opened(w)) }, ""},
		{"the answer to a change of a proposal is lost", nil, func(w *writer) { w.pending = sent(w, w.extend(opened(w))) }, ""},
		{"a proposal vanishes", nil, func(w *writer) { w.proposals = append(w.proposals, &proposal{id: "prop_1"}) }, "lost"},
		{"a proposal appears", nil, func(w *writer) { opened(w); sent(w, w.propose(live(w))) }, "doubled"},
		{"a merge vanishes", nil, func(w *writer) { p := opened(w); p.proposed = w.merge(p).then; p.verified = true }, "lost"},
		{"a merge is half done", nil, func(w *writer) {
			op := w.merge(opened(w))
			e := op.effects[0]
			sent(w, &operation{call: call{method: http.MethodPatch, path: "/pages/" + string(e.page.id), body: object{"title": e.after.title, "content": e.after.content, "status": e.after.status}}})
			w.pending = op
		}, "halves"},
		{"merges act again", forgetful, func(w *writer) { w.pending = sent(w, w.merge(opened(w))) }, "doubled"},
		{"repetitions act", forgetful, func(w *writer) { w.pending = sent(w, w.bulk(live(w))) }, "doubled"},
	} {
		s := octavotest.Start(t, octavotest.Options{Wrap: c.wrap})
		said := &complaints{TB: t}
		f := &figures{t: said}
		a := newAPI(t, s.URL, s.Token(t, auth.Grant{Scopes: octavotest.Scopes(t, "pages:write")}))
		w := newWriters(a, 9, 1, f)[0]
		for range 40 {
			if err := w.work(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		c.do(w)
		if err := w.settle(t.Context()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		verify(t.Context(), f, []*writer{w})
		for name, n := range map[string]int64{"lost": f.lost.Load(), "doubled": f.doubled.Load(), "halves": f.halves.Load()} {
			if name == c.want && n == 0 || c.want == "" && (n > 0 || len(said.list) > 0) {
				t.Errorf("%s: have %s and %q, want %q", c.name, f, said.list, c.want)
			}
		}
	}
}
