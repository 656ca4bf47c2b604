package faulttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// A load during backups: pages are edited, and files are added and removed. The content of
// a page or file follows from its name and a number, so that a consistent state differs
// from a mixture.
const (
	drillPages   = 40
	drillFiles   = 12
	drillEditors = 4
	drillLoaders = 4
	drillSize    = 200_000
)

// drill is an installation under that load.
type drill struct {
	t       *testing.T
	in      *installation
	bucket  func(t testing.TB) []string // a new place for files
	s       *server
	a       *api
	ids     [drillPages]octavo.ID
	edits   [drillPages]atomic.Int64 // answered
	fixed   []octavo.Asset           // files that stay
	removed atomic.Int64
	copying atomic.Int64 // odd while what came meanwhile is not to be deleted
	stop    context.CancelFunc
	group   sync.WaitGroup
}

func drillContent(page int, edit int64) string {
	return fmt.Sprintf("# Page %d\n\nEdit %d, é and 漢字.\n%s", page, edit, strings.Repeat("x", int(edit%7)*300))
}

// startDrill starts a server and its load.
func startDrill(t *testing.T, in *installation, bucket func(t testing.TB) []string) *drill {
	t.Helper()
	d := &drill{t: t, in: in, bucket: bucket}
	d.in.storage = append(d.in.storage, bucket(t)...)
	d.s = d.in.serve(t)
	d.a = newAPI(t, d.s.url, d.in.token(t))
	for i := range drillPages {
		res, err := d.a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{
			"title": fmt.Sprint("Page ", i), "slug": fmt.Sprint("page-", i), "content": drillContent(i, 0), "status": "published",
		}})
		if err != nil || res.status != http.StatusCreated {
			t.Fatalf("have %s, %v", res, err)
		}
		page, err := res.page()
		if err != nil {
			t.Fatal(err)
		}
		d.ids[i] = page.ID
	}
	for i := range drillFiles {
		res, asset, err := d.a.upload(t.Context(), fmt.Sprint("fixed ", i), drillSize)
		if err != nil || res.status != http.StatusAccepted {
			t.Fatalf("have %s, %v", res, err)
		}
		d.fixed = append(d.fixed, asset)
	}
	ctx, stop := context.WithCancel(t.Context())
	d.stop = stop
	for n := range drillEditors {
		d.group.Go(func() { d.edit(ctx, n) })
	}
	for n := range drillLoaders {
		d.group.Go(func() { d.load(ctx, n) })
	}
	t.Cleanup(func() { stop(); d.group.Wait() })
	return d
}

// drillRounds is the number of rounds on one installation. Its data grows, so each copy
// takes longer.
const drillRounds = 2

// inDrills runs rounds, a fixed number on each installation, and then checks that it is
// sound.
func inDrills(t *testing.T, rounds int, start func(*testing.T) *drill, do func(d *drill, round int)) {
	for done := 0; done < rounds && !t.Failed(); done += drillRounds {
		t.Run(fmt.Sprint("from", done), func(t *testing.T) {
			d := start(t)
			for round := 0; round < min(drillRounds, rounds-done) && !t.Failed(); round++ {
				do(d, round)
			}
			d.stop()
			d.group.Wait()
			d.in.doctor(t)
		})
	}
}

// edit changes every drillEditors-th page but the first few, which stay.
func (d *drill) edit(ctx context.Context, n int) {
	for edit := int64(1); ; edit++ {
		for i := n + drillEditors; i < drillPages; i += drillEditors {
			res, err := d.a.do(ctx, call{method: http.MethodPatch, path: "/pages/" + string(d.ids[i]), body: object{"content": drillContent(i, edit)}})
			if ctx.Err() != nil {
				return
			}
			if err != nil || res.status != http.StatusOK {
				d.t.Errorf("edit: have %s, %v", res, err)
				return
			}
			d.edits[i].Store(edit)
		}
	}
}

// load uploads files and deletes those before.
func (d *drill) load(ctx context.Context, n int) {
	type loaded struct {
		id   octavo.ID
		when int64 // what copying was
	}
	var last []loaded
	for i := 0; ; i++ {
		res, asset, err := d.a.upload(ctx, fmt.Sprintf("loader %d file %d", n, i), drillSize)
		if err == nil && res.status == http.StatusAccepted {
			last = append(last, loaded{asset.ID, d.copying.Load()})
			if now := d.copying.Load(); len(last) > 3 && (now%2 == 0 || last[0].when < now) {
				res, err = d.a.do(ctx, call{method: http.MethodDelete, path: "/assets/" + string(last[0].id)})
				last = last[1:]
				d.removed.Add(1)
			}
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil || res.status >= 300 {
			d.t.Errorf("load: have %s, %v", res, err)
			return
		}
	}
}

// back makes a backup and returns the edits of pages before and after it.
func (d *drill) back(path string) (before, behind [drillPages]int64) {
	d.t.Helper()
	return d.around(func() {
		if out, err := d.in.octavo("backup", path).CombinedOutput(); err != nil {
			d.t.Fatalf("octavo backup: %v\n%s", err, out)
		}
	})
}

// around calls a function and returns the edits of pages before and after it.
func (d *drill) around(work func()) (before, behind [drillPages]int64) {
	for i := range d.edits {
		before[i] = d.edits[i].Load()
	}
	work()
	for i := range d.edits {
		behind[i] = d.edits[i].Load() + 1 // one more may be under way
	}
	return before, behind
}

// restored restores a backup into a new folder and checks it.
func (d *drill) restored(path string, before, behind [drillPages]int64) {
	d.t.Helper()
	in := onSQLite(d.t)
	in.storage = append(in.storage, d.bucket(d.t)...)
	if out, err := in.octavo("restore", path).CombinedOutput(); err != nil {
		d.t.Fatalf("octavo restore: %v\n%s", err, out)
	}
	d.same(in, before, behind)
}

// same runs doctor on restored data, and compares all responses of a server on it.
func (d *drill) same(in *installation, before, behind [drillPages]int64) {
	t := d.t
	t.Helper()
	in.doctor(t)
	s := in.serve(t)
	a := newAPI(t, s.url, d.a.token) // what was issued by the first is good here
	for i, id := range d.ids {
		res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/pages/" + string(id)})
		if err != nil || res.status != http.StatusOK {
			t.Fatalf("page %d: have %s, %v", i, res, err)
		}
		page, err := res.page()
		if err != nil {
			t.Fatal(err)
		}
		edit := before[i]
		for edit < behind[i] && page.Content != drillContent(i, edit) {
			edit++
		}
		if page.Content != drillContent(i, edit) || page.Version <= 1+behind[i] {
			t.Errorf("page %d has version %d and %.60q, want an edit of %d to %d, byte for byte, under a version that was not given out", i, page.Version, page.Content, before[i], behind[i])
		}
		if i < drillEditors { // never edited: the answer is the same, under an entity tag that was not given out before
			first, err := d.a.do(t.Context(), call{method: http.MethodGet, path: "/pages/" + string(id)})
			if err != nil || string(first.body) != string(res.body) || first.header.Get("ETag") == res.header.Get("ETag") {
				t.Errorf("page %d: have %s, want %s, %v", i, res, first, err)
			}
		}
	}
	d.sameFiles(a)
	s.stop(t)
}

// sameFiles compares every file of a restored server with its content.
func (d *drill) sameFiles(a *api) {
	d.t.Helper()
	seen := map[octavo.ID]bool{}
	for cursor := ""; ; {
		res, err := a.do(d.t.Context(), call{method: http.MethodGet, path: "/assets?limit=100" + cursor})
		if err != nil || res.status != http.StatusOK {
			d.t.Fatalf("have %s, %v", res, err)
		}
		var list struct {
			Data       []octavo.Asset
			Pagination struct{ Cursor string }
		}
		if err := json.Unmarshal(res.body, &list); err != nil {
			d.t.Fatal(err)
		}
		for _, asset := range list.Data {
			seen[asset.ID] = true
			if have, err := sumOf(d.t.Context(), asset.URL); err != nil || have != asset.SHA256 {
				d.t.Errorf("file %s: have SHA-256 %s, %v; want %s", asset.ID, have, err, asset.SHA256)
			}
		}
		if list.Pagination.Cursor == "" {
			break
		}
		cursor = "&cursor=" + list.Pagination.Cursor
	}
	for _, asset := range d.fixed {
		if !seen[asset.ID] {
			d.t.Errorf("file %s is missing", asset.ID)
		}
	}
}

// A backup made under load is consistent: every page is one that was written, and every
// named file exists.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	for name, bucket := range map[string]func(t testing.TB) []string{
		"folder": func(testing.TB) []string { return nil },
		"s3":     func(t testing.TB) []string { return []string{"--blob-url", testenv.S3(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var removed int64
			inDrills(t, *rounds, func(t *testing.T) *drill { return startDrill(t, onSQLite(t), bucket) }, func(d *drill, round int) {
				d.awaitRemoved(round)
				path := filepath.Join(d.t.TempDir(), "backup.tar")
				before, behind := d.back(path)
				d.restored(path, before, behind)
				removed += d.removed.Load()
			})
			t.Logf("%d backups, %d files removed meanwhile", *rounds, removed)
		})
	}
}

// awaitRemoved waits until more files were removed than before the round.
func (d *drill) awaitRemoved(round int) {
	d.t.Helper()
	until(d.t, "wait for deletions", func() error {
		if d.removed.Load() < int64(10*(round+1)) {
			return errNotYet("few files were removed")
		}
		return nil
	})
}

// A killed backup leaves nothing that looks complete, and can be repeated. A killed
// restore leaves a folder that no command accepts, or a complete one.
func TestBackupKilled(t *testing.T) {
	t.Parallel()
	moments := chance(1<<16 + 77)
	killed := map[string]int{}
	start := func(t *testing.T) *drill {
		return startDrill(t, onSQLite(t), func(testing.TB) []string { return nil })
	}
	var whole string
	var took time.Duration
	inDrills(t, 2**rounds, start, func(d *drill, round int) {
		t := d.t
		if round == 0 {
			begun := time.Now()
			whole = filepath.Join(t.TempDir(), "whole.tar")
			d.back(whole)
			took = time.Since(begun)
		}
		path := filepath.Join(t.TempDir(), "backup.tar")
		before, behind := d.around(func() { d.kill(time.Duration(moments.Int64N(int64(took))), d.in, "backup", path) })
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			killed["backup"]++
			before, behind = d.back(path)
		}
		d.restored(path, before, behind)

		in := onSQLite(t)
		d.kill(time.Duration(moments.Int64N(int64(took))), in, "restore", whole)
		if out, err := in.octavo("doctor").CombinedOutput(); err != nil {
			killed["restore"]++
			if text := string(out); !strings.Contains(text, "has not finished") && !strings.Contains(text, "contains no data") {
				t.Errorf("after a killed restore: octavo doctor: %v\n%s", err, out)
			}
			if out, err := in.octavo("restore", whole).CombinedOutput(); err != nil {
				t.Errorf("restore again: %v\n%s", err, out)
			}
			in.doctor(t)
		}
	})
	t.Logf("%d rounds, killed before their end: %v", 2**rounds, killed)
}

// kill runs a command and kills it after a time, unless it has ended.
func (d *drill) kill(after time.Duration, in *installation, args ...string) {
	d.t.Helper()
	cmd := in.octavo(args...)
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have ended
	_ = cmd.Wait()                                                    // it tells of the signal
	timer.Stop()
}
