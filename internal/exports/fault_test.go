package exports_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store"
)

// together takes messages when as many have come as are awaited.
type together struct{ all sync.WaitGroup }

func (m *together) Send(ctx context.Context, _ mail.Message) error {
	m.all.Done()
	done := make(chan struct{})
	go func() { m.all.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestASlowMailServer shows that messages which were claimed together are sent
// at once: one after the other, the last would begin when its lease is over.
func TestASlowMailServer(t *testing.T) {
	t.Parallel()
	r := newRig(t, openSQLite(t))
	box := &together{}
	box.all.Add(4)
	r.Mailer = box
	var channels []octavo.ExportChannel
	for i := range 4 {
		channels = append(channels, octavo.ExportChannel{Kind: octavo.ChannelEmail, Email: fmt.Sprintf("a%d@example.com", i)})
	}
	e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{Channels: channels}})
	r.run(r.Service)
	r.until(func() bool {
		e = r.await(e.ID)
		for _, d := range e.Deliveries {
			if d.Status != octavo.DeliverySucceeded {
				return false
			}
		}
		return true
	})
}

// TestItemsSayWhatPagesAreCalled shows that what an item says of a page holds
// also where a section before it has the page.
func TestItemsSayWhatPagesAreCalled(t *testing.T) {
	t.Parallel()
	r := newRig(t, openSQLite(t))
	root := r.page(published("root", "x"))
	leaf := published("leaf", "x")
	leaf.ParentID = root.ID
	below := r.page(leaf)
	files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSelected, Selection: octavo.ExportSelection{
		Mode: octavo.SelectIDs, Items: []octavo.ExportItem{
			{ID: root.ID, Type: octavo.ItemSection},
			{ID: below.ID, Type: octavo.ItemPage, Options: octavo.ExportItemOptions{Title: "Another heading"}},
		},
	}})
	if !strings.Contains(files["leaf.html"], "<h1>Another heading</h1>") {
		t.Errorf("the page is not called as was asked: %s", files["leaf.html"])
	}
}

// TestOddLanguages shows that what is no language tag reaches no rendering.
func TestOddLanguages(t *testing.T) {
	t.Parallel()
	r := newRig(t, openSQLite(t))
	r.page(published("first", "x")) // whose language would be that of the site
	for slug, tag := range map[string]string{"a": "pt-BR", "b": `x\" onload=\"y`, "c": "en/..", "d": "1a", "e": "zh-Hant-TW", "f": "", "g": strings.Repeat("x", 300)} {
		n := published(slug, "x")
		n.Frontmatter = []byte(`{"lang":"` + tag + `"}`)
		r.page(n)
	}
	files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
	for name, want := range map[string]string{"a": ` lang="pt-BR"`, "b": "", "c": "", "d": "", "e": ` lang="zh-Hant-TW"`, "f": "", "g": ""} {
		if !strings.Contains(files[name+".html"], "<article"+want+">") {
			t.Errorf("%s: want <article%s>, have %s", name, want, files[name+".html"])
		}
	}
}

// TestAssetsWhoseBytesAreGone shows that an export is made all the same.
func TestAssetsWhoseBytesAreGone(t *testing.T) {
	t.Parallel()
	for _, format := range []octavo.ExportFormat{octavo.ExportHTML, octavo.ExportPDF, octavo.ExportMarkdown} {
		r := newRig(t, openSQLite(t))
		r.tree()
		for key, err := range r.Blobs.All(r.Context()) {
			must(t, err)
			must(t, r.Blobs.Remove(r.Context(), key.Key))
		}
		_, _, report := r.files(octavo.ExportRequest{Format: format, Scope: octavo.ExportPublished})
		if have := strings.Join(warned(report), "\n"); !strings.Contains(have, "p.png") && !strings.Contains(have, "bytes of the asset") || strings.Contains(have, "deleted") {
			t.Errorf("%s: have the warnings %q, want one of the picture, which nobody has deleted", format, have)
		}
	}
}

// broken is a blob store that cannot be reached for reading.
type broken struct{ blob.Store }

func (broken) Open(context.Context, string) (blob.File, error) {
	return nil, octavo.Errorf(octavo.Unavailable, "The bucket does not answer.")
}

// TestABlobStoreThatIsAwayFails shows that no export is made without its
// pictures because they cannot be read for a while: it fails, and is tried again.
func TestABlobStoreThatIsAwayFails(t *testing.T) {
	t.Parallel()
	for _, format := range []octavo.ExportFormat{octavo.ExportHTML, octavo.ExportPDF, octavo.ExportMarkdown} {
		r := newRig(t, openSQLite(t))
		r.tree()
		r.Blobs = broken{r.Blobs}
		var out bytes.Buffer
		_, err := r.Render(r.Context(), octavo.ExportRequest{
			Format: format, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
		}, &out, func(int, int) {})
		if err == nil || !strings.Contains(err.Error(), "The bucket does not answer.") {
			t.Errorf("%s: have %v, want what the bucket says", format, err)
		}
	}
}

// TestABlobStoreThatStaysFull shows that an export is tried again, later each
// time, and at last fails for a reason that its owner is told.
func TestABlobStoreThatStaysFull(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *movable) {
		r.page(published("a", "a"))
		full := &failing{Store: r.Blobs, err: octavo.Errorf(octavo.StorageFull, "There is no space left.")}
		full.left.Store(100)
		r.Service.Blobs = full
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		for i, pause := range []time.Duration{5 * time.Second, 20 * time.Second, 80 * time.Second, 320 * time.Second} {
			stop := r.run(exports.New(r.Options))
			var x store.Export
			r.until(func() bool {
				var err error
				x, err = r.Store.Export(context.Background(), e.ID)
				must(r, err)
				return x.Attempt == i+1 && x.Lease == 0
			})
			stop()
			if wait := x.ReadyAt.Sub(clock.now()); x.Status.Ended() || wait > pause || wait < pause-4*time.Second {
				t.Errorf("try %d: have it %s, due in %s, want it tried again after %s", i+1, x.Status, wait, pause)
			}
			clock.forward(pause)
		}
		r.run(exports.New(r.Options))
		e = r.await(e.ID)
		if e.Status != octavo.ExportFailed || e.Error == nil || e.Error.Type != "/problems/storage-full" || r.results() != 0 {
			t.Errorf("have %s for %+v and %d results, want it failed since there is no space", e.Status, e.Error, r.results())
		}
	})
}
