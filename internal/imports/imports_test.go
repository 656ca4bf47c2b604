package imports_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestImportZip(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		top := exporttest.Create(t, r.Store, exporttest.Published("top", "# Top"))
		file := zipOf(t, "guide/index.md", "# Guide\n\n![](logo.png)\n", "guide/a.md", "# A\n\n[no](gone.md)\n", "guide/logo.png", "\x89PNG\r\n\x1a\n", "guide/x.css", "a{}")
		options := func(o *octavo.ImportOptions) { o.ParentID, o.Status = top.ID, octavo.Published }
		first := r.send(ann, "Our Guide.zip", file, options)
		if first.Status != octavo.ImportQueued || first.Name != "Our Guide.zip" || first.Size != int64(len(file)) {
			t.Errorf("accepted: have %+v", first)
		}
		r.run(r.Service)
		v := r.await(first.ID)
		want := octavo.ImportSums{Created: 3, Skipped: 1, Notes: v.Report.Sums.Notes}
		if v.Status != octavo.ImportReady || v.Report.Sums != want || v.Report.From != "files" || v.Report.Set != "Our Guide" || v.Report.Share != 1 || v.Progress.Done != v.Progress.Total {
			t.Fatalf("have %+v %+v", v, v.Report)
		}
		all := r.pages()
		guide, a := all["index"], all["a"]
		if guide.ParentID != top.ID || a.ParentID != guide.ID || a.Status != octavo.Published || a.ImportSet != "Our Guide" || len(all) != 3 {
			t.Errorf("have %+v", all)
		}
		revisions, _, err := r.Pages.Revisions(t.Context(), octavo.Audience{}, a.ID, 0, 10)
		exporttest.Must(t, err)
		if len(revisions) != 1 || revisions[0].Author != ann.Actor {
			t.Errorf("have %+v, want one by Ann", revisions)
		}
		lines := strings.Join(r.lines(first.ID), "\n")
		for _, want := range []string{`"path":"a.md","id":"` + string(a.ID) + `","slug":"a","action":"created"`, `"path":"logo.png"`, `"path":"x.css","action":"skipped"`, "gone.md"} {
			if !strings.Contains(lines, want) {
				t.Errorf("the report lacks %s:\n%s", want, lines)
			}
		}
		told, _, err := r.Store.Log.Events(t.Context(), changelog.EventQuery{After: -1, Types: []octavo.EventType{octavo.ImportIsReady}, Limit: 10})
		if err != nil || len(told) != 1 {
			t.Errorf("have %d events, %v", len(told), err)
		}
		again := r.await(r.send(ann, "Our Guide (2).zip", file, options).ID)
		if again.Report.Sums.Unchanged != 3 || again.Report.Set != "Our Guide" || r.files(1) != 1 {
			t.Errorf("again: have %+v, and %d files, want that of the asset alone", again.Report, r.files(1))
		}
	})
}

// TestHomeInSection: a home page that the navigation lists in a section becomes the home page
// of the site. Whoever may not change the settings of the site is told. It is done once.
func TestHomeInSection(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		const note = "the navigation lists the home page in a section"
		tree := []string{"docs/index.md", "# Home", "docs/a.md", "# A"}
		within := zipOf(t, append(tree, "mkdocs.yml", "site_name: S\nnav:\n  - First: [a.md]\n  - Second: [index.md]\n")...)
		home := func() octavo.ID {
			site, _, err := r.Store.Sites.Get(t.Context(), octavo.Audience{})
			exporttest.Must(t, err)
			if site.Home == nil {
				return ""
			}
			return *site.Home
		}
		admin := octavo.Principal{Actor: octavo.Actor{ID: "eve", Name: "Eve"}, Scopes: octavo.ScopeAdmin}
		r.run(r.Service)
		r.await(r.send(admin, "x.zip", zipOf(t, tree...), func(o *octavo.ImportOptions) { o.Set = "S" }).ID)
		if home() != "" {
			t.Errorf("the first page: have the home page %q, want none", home())
		}
		id := r.send(ann, "x.zip", within, nil).ID
		r.await(id)
		if lines := strings.Join(r.lines(id), "\n"); !strings.Contains(lines, note) || home() != "" {
			t.Errorf("by Ann: have %q and\n%s", home(), lines)
		}
		for _, p := range r.pages() {
			exporttest.Must(t, r.Pages.Delete(t.Context(), sqldb.Cause{Actor: admin.Actor}, p.ID, pagestore.ChildrenReparent, nil))
		}
		for range 2 {
			id := r.send(admin, "x.zip", within, nil).ID
			r.await(id)
			if lines := strings.Join(r.lines(id), "\n"); strings.Contains(lines, note) || home() != r.pages()["index"].ID {
				t.Errorf("by an administrator: have %q and\n%s", home(), lines)
			}
		}
	})
}

func TestDryRun(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		r.run(r.Service)
		for _, as := range []octavo.ImportAs{octavo.ImportPages, octavo.ImportProposal} {
			v := r.await(r.send(ann, "x.zip", many(t, 3), func(o *octavo.ImportOptions) { o.DryRun, o.As = true, as }).ID)
			if v.Status != octavo.ImportReady || v.Report.Sums.Created != 3 || v.Report.ProposalID != "" || len(r.pages()) != 0 || r.files(0) != 0 {
				t.Errorf("%s: have %+v, %d pages, %d files", as, v.Report, len(r.pages()), r.files(0))
			}
		}
	})
}

func TestDraftOfOther(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		v := r.send(ann, "x.zip", many(t, 1), nil)
		admin := octavo.Principal{Actor: octavo.Actor{ID: "root"}, Scopes: octavo.ScopeAdmin}
		for who, want := range map[*octavo.Principal]int{&ann: 1, &bob: 0, &admin: 1} {
			_, err := r.Get(t.Context(), *who, v.ID)
			_, _, lines := r.Lines(t.Context(), *who, v.ID, 0, 10)
			list, _, listed := r.List(t.Context(), *who, "", 10)
			exporttest.Must(t, listed)
			if (err == nil) != (want == 1) || (lines == nil) != (want == 1) || len(list) != want {
				t.Errorf("%s: have %v, %v and %d in the list, want %d", who.ID, err, lines, len(list), want)
			}
			if want == 0 {
				if err := r.Delete(t.Context(), sqldb.Cause{}, *who, v.ID); !octavo.IsType(err, octavo.NotFound) {
					t.Errorf("%s removes it: %v", who.ID, err)
				}
			}
		}
	})
}

// TestReportDeletionsAfterRestart checks that a resumed import reports pages it deleted
// before the stop.
func TestReportDeletionsAfterRestart(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		stop := r.run(r.Service)
		for gone, want := range map[string]string{"delete": "deleted", "draft": "updated"} {
			in := func(o *octavo.ImportOptions) { o.Set, o.Gone, o.Status = gone, gone, octavo.Published }
			r.await(r.send(ann, "old.zip", zipOf(t, gone+"/old.md", "# Old "+gone), in).ID)
			v := r.send(ann, "new.zip", many(t, 1500), in)
			exporttest.Until(r, func() bool {
				list, err := r.Store.Imports.AllWritten(context.Background(), v.ID)
				exporttest.Must(t, err)
				return len(list) > 0
			})
			stop()
			if x, err := r.Get(t.Context(), ann, v.ID); err != nil || x.Status != octavo.ImportQueued {
				t.Fatalf("%s: have %+v, %v, want it stopped in the middle", gone, x, err)
			}
			stop = r.run(r.Service)
			v = r.await(v.ID)
			lines := strings.Join(r.lines(v.ID), "\n")
			if _, line, _ := strings.Cut(lines, `"path":"old.md"`); v.Report.Sums.Gone != 1 || !strings.Contains(line[:min(len(line), 200)], `"action":"`+want+`"`) {
				t.Errorf("%s: have %+v, %.300s", gone, v.Report.Sums, line)
			}
		}
	})
}

// TestGivenUp: an import at which its process was killed five times is not begun again.
func TestGivenUp(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		v := r.send(ann, "x.zip", many(t, 1), nil)
		for n := range 5 {
			x, found, err := r.Store.Imports.Claim(t.Context(), int64(n+1), make([]time.Duration, 5))
			if err != nil || !found || x.ID != v.ID {
				t.Fatalf("claim %d: have %+v, %t, %v", n, x, found, err)
			}
			if _, err := r.Store.Imports.Free(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		r.run(r.Service)
		if v = r.await(v.ID); v.Status != octavo.ImportFailed || v.Error == nil || !strings.Contains(v.Error.Detail, "started 5 times") || len(r.pages()) != 0 {
			t.Errorf("have %+v, %+v", v, v.Error)
		}
	})
}

func TestCancelled(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		waits := r.send(ann, "waits.zip", many(t, 1), nil)
		exporttest.Must(t, r.Delete(t.Context(), sqldb.Cause{}, ann, waits.ID))
		if v := r.await(waits.ID); v.Status != octavo.ImportCancelled || r.files(0) != 0 {
			t.Errorf("one that waits: have %+v and %d files", v, r.files(0))
		}
		v := r.send(ann, "runs.zip", many(t, 3000), nil)
		r.run(r.Service)
		exporttest.Until(r, func() bool {
			written, err := r.Store.Imports.AllWritten(context.Background(), v.ID)
			exporttest.Must(t, err)
			return len(written) > 0
		})
		exporttest.Must(t, r.Delete(t.Context(), sqldb.Cause{}, ann, v.ID))
		v = r.await(v.ID)
		n := len(r.pages())
		if v.Status != octavo.ImportCancelled || v.Report.Sums.Created != n || n == 0 || n == 3000 || v.Progress.Done >= v.Progress.Total || r.files(0) != 0 {
			t.Errorf("one that runs: have %s, %+v, %+v, %d pages", v.Status, v.Progress, v.Report, n)
		}
		rest := r.await(r.send(ann, "runs.zip", many(t, 3000), nil).ID)
		if rest.Report.Sums.Created != 3000-n || rest.Report.Sums.Unchanged != n {
			t.Errorf("the rest: have %+v", rest.Report)
		}
		exporttest.Must(t, r.Delete(t.Context(), sqldb.Cause{}, ann, v.ID))
		if _, err := r.Get(t.Context(), ann, v.ID); !octavo.IsType(err, octavo.NotFound) {
			t.Errorf("removed: have %v", err)
		}
	})
}

// TestHostileFiles: invalid or malicious zips are refused, and nothing is written.
func TestHostileFiles(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		r.MaxFile = 1 << 20
		r.run(r.Service)
		bomb := zipOf(t, "a.md", strings.Repeat("a", 5<<20))
		lying := bytes.Clone(bomb)
		at := bytes.LastIndex(lying, []byte("PK\x01\x02"))
		binary.LittleEndian.PutUint32(lying[at+24:], 10) // of the bytes in it
		var crowd []string
		for i := range 100_001 {
			crowd = append(crowd, fmt.Sprint(i), "")
		}
		large := zipOf(t, crowd...)
		for name, file := range map[string][]byte{"none": []byte("no zip"), "bomb": bomb} {
			v := r.await(r.send(ann, name+".zip", file, nil).ID)
			if v.Status != octavo.ImportFailed || v.Error.Status != 400 || r.files(0) != 0 {
				t.Errorf("%s: have %+v %+v and %d files", name, v, v.Error, r.files(0))
			}
		}
		v := r.await(r.send(ann, "lying.zip", lying, nil).ID)
		if len(r.pages()) != 0 {
			t.Errorf("lying: have %+v %+v and %d pages", v, v.Error, len(r.pages()))
		}
		r.MaxFile = 64 << 20
		v = r.await(r.send(ann, "crowd.zip", large, nil).ID)
		if v.Status != octavo.ImportFailed || v.Error.Status != 400 {
			t.Errorf("crowd: have %+v %+v", v, v.Error)
		}
		v = r.await(r.send(ann, "paths.zip", zipOf(t, "ok.md", "# Ok", "../out.md", "# Out", "/etc/x.md", "# X", "a/../../b.md", "# B"), nil).ID)
		if v.Status != octavo.ImportReady || v.Report.Sums.Skipped != 3 {
			t.Errorf("paths: have %+v %+v %v", v.Report, v.Error, r.lines(v.ID))
		}
		v = r.await(r.send(ann, "paper.zip", many(t, 1), func(o *octavo.ImportOptions) { o.From = "confluence" }).ID)
		if v.Status != octavo.ImportFailed || v.Error.Status != 400 || !strings.Contains(v.Error.Detail, "confluence") {
			t.Errorf("another system: have %+v %+v", v, v.Error)
		}
	})
}

// TestWriteAfterLosingRole checks permissions at the time of the write.
func TestWriteAfterLosingRole(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		ids := octavo.NewIDSource(time.Now, strings.NewReader(strings.Repeat("x", 1000)))
		id := func(prefix octavo.Prefix) octavo.ID {
			v, err := ids.New(prefix)
			exporttest.Must(t, err)
			return v
		}
		user := accounts.User{User: octavo.User{ID: id(octavo.PrefixUser), Email: "eve@example.com", Name: "Eve", Role: octavo.RoleEditor}}
		key := accounts.Key{ID: id(octavo.PrefixKey), Name: "k", Kind: octavo.KeyService, Scopes: octavo.ScopeWrite}
		client := accounts.Client{ID: id(octavo.PrefixClient), Name: "c", Secret: make([]byte, 32), Scopes: octavo.ScopeWrite}
		exporttest.Must(t, errors.Join(r.Store.Accounts.Users.Add(t.Context(), sqldb.Cause{}, user), r.Store.Accounts.Keys.Insert(t.Context(), sqldb.Cause{}, key),
			r.Store.Accounts.Clients.Add(t.Context(), sqldb.Cause{}, client)))
		subjects := map[string]octavo.Principal{}
		for _, id := range []octavo.ID{user.ID, key.ID, client.ID} {
			subjects[string(id)] = octavo.Principal{Actor: octavo.Actor{ID: string(id), Name: "n"}, Scopes: octavo.ScopeWrite}
		}
		round := func(what string, want octavo.ImportStatus) {
			for id, who := range subjects {
				v := r.await(r.send(who, id+what+".zip", zipOf(t, id+what+".md", "# "+what), func(o *octavo.ImportOptions) { o.Set = id + what }).ID)
				if v.Status != want || want == octavo.ImportFailed && v.Error.Status != 403 {
					t.Errorf("%s, %s: have %s %+v, want %s", id, what, v.Status, v.Error, want)
				}
			}
		}
		r.run(r.Service)
		round("before", octavo.ImportReady)
		exporttest.Must(t, errors.Join(r.Store.Accounts.Users.SetRole(t.Context(), sqldb.Cause{}, user.ID, octavo.RoleContributor), r.Store.Accounts.Keys.Revoke(t.Context(), sqldb.Cause{}, key.ID), r.Store.Accounts.Clients.Remove(t.Context(), sqldb.Cause{}, client.ID)))
		round("after", octavo.ImportFailed)
	})
}

// TestApprovalsHold: what a request of the asker would be refused, the import is.
func TestApprovalsHold(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		one := octavo.Object(octavo.Member{Name: "approvals", Value: octavo.Value{Kind: octavo.KindNumber, Str: "1"}})
		_, _, err := r.Store.Sites.Patch(t.Context(), sqldb.Cause{}, octavo.Object(octavo.Member{Name: "review", Value: one}), nil)
		exporttest.Must(t, err)
		r.run(r.Service)
		v := r.await(r.send(ann, "x.zip", many(t, 2), func(o *octavo.ImportOptions) { o.Status = octavo.Published }).ID)
		if v.Status != octavo.ImportFailed || v.Error == nil || !strings.Contains(v.Error.Detail, "as a proposal") || len(r.pages()) != 0 {
			t.Errorf("published: have %s, %+v", v.Status, v.Error)
		}
		if v = r.await(r.send(ann, "x.zip", many(t, 2), nil).ID); v.Report.Sums.Created != 2 {
			t.Errorf("drafts: have %+v", v.Report)
		}
	})
}

// distant is a store whose files cannot be read here and there.
type distant struct{ blob.Store }

func (d distant) Open(ctx context.Context, key string) (blob.File, error) {
	f, err := d.Store.Open(ctx, key)
	return struct{ blob.File }{f}, err
}

func TestFilesInBucket(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := newRig(t, exporttest.SQLite(t), t.TempDir())
	r.Blobs = distant{r.Blobs}
	r.run(r.Service)
	if v := r.await(r.send(ann, "x.zip", many(t, 2), nil).ID); v.Status != octavo.ImportReady || v.Report.Sums.Created != 2 {
		t.Errorf("have %+v %+v", v, v.Error)
	}
}

func TestJobLimits(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		r.Bounds = importstore.Bounds{PerSubject: 1, Overall: 2}
		r.send(ann, "a.zip", many(t, 1), nil)
		r.send(bob, "b.zip", many(t, 1), nil)
		for who, want := range map[*octavo.Principal]octavo.ProblemType{&ann: octavo.RateLimited, {Actor: octavo.Actor{ID: "eve"}}: octavo.Unavailable} {
			up, err := r.Assets.Receive(t.Context(), strings.NewReader("x"), "c.zip", "")
			exporttest.Must(t, err)
			if _, err := r.Create(t.Context(), sqldb.Cause{Actor: who.Actor}, *who, up, octavo.DefaultImportOptions(), nil); !octavo.IsType(err, want) {
				t.Errorf("%s: have %v, want %s", who.ID, err, want)
			}
		}
		if n := r.files(2); n != 2 {
			t.Errorf("have %d files, want those that were accepted", n)
		}
	})
}

// TestStopReleasesImports: another process continues, and the report has the work of both.
func TestStopReleasesImports(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		v := r.send(ann, "x.zip", many(t, 2000), nil)
		stop := r.run(r.Service)
		exporttest.Until(r, func() bool {
			written, err := r.Store.Imports.AllWritten(context.Background(), v.ID)
			exporttest.Must(t, err)
			return len(written) > 0
		})
		stop()
		x, err := r.Store.Imports.Get(t.Context(), v.ID)
		exporttest.Must(t, err)
		if x.Status != octavo.ImportQueued || x.Attempt != 0 || x.Lease != 0 || len(r.pages()) == 2000 {
			t.Errorf("given back: have %+v with %d pages", x, len(r.pages()))
		}
		r.run(imports.New(r.Options))
		if v = r.await(v.ID); v.Report.Sums.Created != 2000 || len(r.pages()) != 2000 {
			t.Errorf("have %+v and %d pages", v.Report, len(r.pages()))
		}
	})
}
