package proposals_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestMergesSerializable has several people propose, merge and write directly at the same
// time, on few pages and few lines. Each page's revisions must be what a model makes of
// them one after the other: a direct write is its own text, and a merge joins the texts of
// its base and of the revision before with the proposed one. A refused merge must be one
// that the model finds a conflict in at some revision that the page had meanwhile, and no
// merge may be there in part.
func TestMergesSerializable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		const people, pages = 6, 3
		var ids []octavo.ID
		for i := range pages {
			ids = append(ids, r.page(fmt.Sprint("p-", i), strings.Repeat("a\nb\nc\nd\n", 3)).ID)
		}
		var merges, refusals sync.Map // proposal → its changes
		var merged, refused, wrote atomic.Int64
		var group sync.WaitGroup
		end := time.Now().Add(1500 * time.Millisecond)
		for who := range people {
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(who), 1))
				for n := 0; time.Now().Before(end); n++ {
					edited := func(text string) string {
						lines := strings.SplitAfter(text, "\n")
						lines[random.IntN(len(lines)-1)] = fmt.Sprintf("%d.%d\n", who, n)
						return strings.Join(lines, "")
					}
					if random.IntN(3) == 0 {
						id := ids[random.IntN(pages)]
						text := edited(r.get(id).Content)
						r.update(id, pagestore.Change{Content: &text})
						wrote.Add(1)
						continue
					}
					var changes []octavo.PageChange
					for _, id := range ids[random.IntN(pages):] {
						now := r.get(id)
						c := edit(id, edited(now.Content))
						c.BaseRevision = now.Revision
						changes = append(changes, c)
					}
					p, err := r.tryPropose(bob, changes...)
					r.must(err)
					_, err = r.merge(p)
					switch {
					case err == nil:
						merged.Add(1)
						merges.Store(p.ID, changes)
					case octavo.IsType(err, octavo.MergeConflicts):
						refused.Add(1)
						refusals.Store(p.ID, changes)
					default:
						r.Error(err)
					}
				}
			})
		}
		group.Wait()
		seen := map[octavo.ID]int{}
		history := map[octavo.ID]map[int64]string{}
		for _, id := range ids {
			before := ""
			texts := map[int64]string{}
			history[id] = texts
			for number := int64(1); number <= r.get(id).Revision; number++ {
				rev, err := r.st.Pages.Revision(r.ctx, octavo.Audience{}, id, number)
				r.must(err)
				texts[number] = *rev.Content
				if rev.ProposalID != "" {
					changes, answered := merges.Load(rev.ProposalID)
					if !answered {
						r.Fatalf("revision %d of %s is of proposal %s, whose merge was refused", number, id, rev.ProposalID)
					}
					for _, c := range changes.([]octavo.PageChange) {
						if c.PageID != id {
							continue
						}
						want := merge.Texts(texts[c.BaseRevision], before, *c.Content)
						if len(want.Conflicts) > 0 || want.Text != *rev.Content {
							r.Errorf("revision %d of %s: base %q, before %q, proposed %q: have %q, want %+v", number, id, texts[c.BaseRevision], before, *c.Content, *rev.Content, want)
						}
					}
					seen[rev.ProposalID]++
				}
				before = *rev.Content
			}
		}
		merges.Range(func(id, changes any) bool {
			if n, all := seen[id.(octavo.ID)], len(changes.([]octavo.PageChange)); n != all {
				r.Errorf("the merge of %s has written %d pages of %d", id, n, all)
			}
			return true
		})
		refusals.Range(func(id, changes any) bool {
			for _, c := range changes.([]octavo.PageChange) {
				for number, text := range history[c.PageID] {
					if number > c.BaseRevision && len(merge.Texts(history[c.PageID][c.BaseRevision], text, *c.Content).Conflicts) > 0 {
						return true
					}
				}
			}
			r.Errorf("the merge of %s was refused without a conflict", id)
			return true
		})
		r.Logf("%d merges, %d refused, %d direct writes", merged.Load(), refused.Load(), wrote.Load())
		if merged.Load() == 0 || refused.Load() == 0 || wrote.Load() == 0 {
			r.Error("one of them never happened")
		}
	})
}

// TestReplaceChangeConcurrently: of two people who replace one change by its version, one wins, and
// a merge at the version before is refused.
func TestReplaceChangeConcurrently(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page := r.page("p", three)
		p := r.propose(edit(page.ID, "x\n"))
		var won, lost atomic.Int64
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				match := func(_ octavo.ID, version int64) bool { return version == 1 }
				_, err := r.PutChange(r.ctx, sqldb.Cause{Actor: ann.Actor}, ann, p.ID, p.Changes[0].ID, edit(page.ID, fmt.Sprint(i)), match)
				switch {
				case err == nil:
					won.Add(1)
				case octavo.IsType(err, octavo.PreconditionFailed):
					lost.Add(1)
				default:
					r.Error(err)
				}
			})
		}
		group.Wait()
		if won.Load() != 1 || lost.Load() != 7 {
			r.Errorf("%d have won, %d have lost", won.Load(), lost.Load())
		}
		_, err := r.Merge(r.ctx, sqldb.Cause{Actor: bob.Actor}, bob, p.ID, func(_ octavo.ID, version int64) bool { return version == p.Version }, nil)
		if e, ok := errors.AsType[*octavo.Error](err); !ok || e.Type != octavo.PreconditionFailed {
			r.Errorf("the merge of an older version ended with %v", err)
		}
	})
}
