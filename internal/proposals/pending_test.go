package proposals_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// file uploads a pending file as somebody.
func (r rig) file(a proposals.Asker, key string) (file octavo.Asset) {
	r.Helper()
	r.must(r.st.DB.Write(r.ctx, sqldb.Cause{Actor: a.Actor}, func(tx *sqldb.Tx) (err error) {
		files, err := r.st.Assets.Files(r.ctx)
		if err != nil {
			return err
		}
		file, _, err = r.st.Assets.Pending.Create(tx, assetstore.NewAsset{FilesID: files.ID, Key: key, Name: "a", ContentType: "image/png", Blob: assetstore.Blob{Key: key, Hash: [32]byte{byte(len(key))}}})
		return err
	}))
	return file
}

func (r rig) isAsset(file octavo.Asset) bool {
	r.Helper()
	_, err := r.st.Assets.Get(r.ctx, octavo.Audience{}, file.ID)
	if err != nil && !octavo.IsType(err, octavo.NotFound) {
		r.Fatal(err)
	}
	return err == nil
}

// TestPendingFilesOfMerges: a merge that is refused keeps nothing, one that is carried
// out keeps what its changes name, in their front matter too.
func TestPendingFilesOfMerges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page := r.page("p", three)
		one, two, none := r.file(ann, "one"), r.file(ann, "two"), r.file(ann, "none")
		change := edit(page.ID, "![](/files/one/a)\n")
		change.RawFront = new("---\nimage: " + string(two.ID) + "\n---\n")
		p := r.propose(change)
		r.update(page.ID, pagestore.Change{Content: new("other\n")})
		if _, err := r.merge(p); !octavo.IsType(err, octavo.MergeConflicts) {
			t.Fatalf("have %v, want conflicts", err)
		}
		if r.isAsset(one) || r.isAsset(two) {
			t.Error("a merge that was refused has kept files")
		}
		r.update(page.ID, pagestore.Change{Content: new(three)})
		_, err := r.merge(p)
		r.must(err)
		if !r.isAsset(one) || !r.isAsset(two) || r.isAsset(none) {
			t.Errorf("kept: %t, %t, %t; want the first two", r.isAsset(one), r.isAsset(two), r.isAsset(none))
		}
	})
}

// TestApprovalsOfFiles: what an approval was of includes what is said about files. A file
// that no author of the change uploaded is not part of it.
func TestApprovalsOfFiles(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		author, editor, other := r.person("auth", octavo.RoleContributor), r.person("edit", octavo.RoleEditor), r.person("othr", octavo.RoleAdmin)
		page := r.page("p", three)
		r.settings(approvals("1", false))
		for i, c := range []struct {
			name     string
			uploader proposals.Asker
			patch    bool
			want     bool
			kept     bool
		}{
			{"nothing done to it", author, false, true, true},
			{"described anew", author, true, false, false},
			{"of somebody else", other, false, true, false},
		} {
			file := r.file(c.uploader, fmt.Sprint("k", i))
			p, err := r.tryPropose(author, edit(page.ID, r.get(page.ID).Content+"![](/files/"+file.Key+"/a)\n"))
			r.must(err)
			r.review(editor, p, octavo.VerdictApprove)
			if c.patch {
				r.must(r.st.DB.Write(r.ctx, sqldb.Cause{Actor: author.Actor}, func(tx *sqldb.Tx) error {
					pending, err := r.st.Assets.Pending.Lock(tx, assetstore.Viewer{ID: author.ID}, file.ID)
					if err != nil {
						return err
					}
					_, err = r.st.Assets.Pending.Update(tx, pending, octavo.AssetPatch{Alt: new(new("x"))}, nil)
					return err
				}))
			}
			_, err = r.Merge(r.ctx, sqldb.Cause{Actor: other.Actor}, other, p.ID, nil, nil)
			if (err == nil) != c.want || err != nil && !octavo.IsType(err, octavo.ReviewRequired) || r.isAsset(file) != c.kept {
				t.Errorf("%s: have %v, kept %t; want merged %t, kept %t", c.name, err, r.isAsset(file), c.want, c.kept)
			}
		}
	})
}

// TestMergesMeetSweeps: proposals are made and merged while files are swept that are old
// enough to go. A page that names a file which the proposal had has it.
func TestMergesMeetSweeps(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		const n = 24
		var files []octavo.Asset
		for i := range n {
			files = append(files, r.file(ann, fmt.Sprint("f", i)))
		}
		r.write(func(tx *sqldb.Tx) error {
			_, err := tx.Exec(`UPDATE pending_assets SET used_at = 0`)
			return err
		})
		had := make([]bool, n)
		var group sync.WaitGroup
		for w := range 3 {
			group.Go(func() {
				for i := w; i < n; i += 3 {
					p, err := r.tryPropose(ann, octavo.PageChange{Op: octavo.ChangeCreate, Title: new("T"), Slug: new(fmt.Sprint("s", i)), Content: new("![](/files/" + files[i].Key + "/a)")})
					if err != nil {
						r.Error(err)
						return
					}
					named, err := r.st.Assets.Pending.OfProposal(r.ctx, assetstore.Viewer{ID: bob.ID}, p.ID)
					if err != nil {
						r.Error(err)
					}
					had[i] = len(named) == 1
					if _, err := r.merge(p); err != nil {
						r.Error(err)
					}
				}
			})
		}
		group.Go(func() {
			for range 4 {
				if err := r.st.Assets.Sweep(r.ctx); err != nil {
					r.Error(err)
				}
			}
		})
		group.Wait()
		for i, file := range files {
			if r.isAsset(file) != had[i] {
				r.Errorf("file %d: had by its proposal %t, kept %t", i, had[i], r.isAsset(file))
			}
		}
		findings, err := storecheck.Check(r.ctx, r.st.DB)
		r.must(err)
		if len(findings) > 0 {
			r.Error(findings)
		}
	})
}
