package pages

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// A cached list is never older than what other processes had reported to clients before
// the request, with many concurrent writers, some of which give up.
func TestWritersElsewhere(t *testing.T) {
	const writers, pages = 4, 60
	url := testenv.Postgres(t)
	open := func() *store.Store {
		st, err := store.OpenPostgres(t.Context(), url, store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() }) //nolint:errcheck // nothing is left to lose
		return st
	}
	opened := open()
	reader := New(opened.DB, opened.Pages, opened.Assets, 1<<20)
	answered := make(chan int, writers*pages) // holds one for each page that a writer was told of
	done := make(chan error, writers)
	for w := range writers {
		st := open()
		service := New(st.DB, st.Pages, st.Assets, 0)
		go func() {
			done <- func() error {
				for i := range pages {
					in := octavo.PageCreate{Title: "t", Slug: fmt.Sprintf("w%d-%d", w, i), Content: "c"}
					if _, err := service.Create(t.Context(), sqldb.Cause{}, in, nil); err != nil {
						return err
					}
					answered <- i
					if _, err := service.Create(t.Context(), sqldb.Cause{}, in, nil); err == nil {
						return fmt.Errorf("slug %s was given twice", in.Slug)
					}
				}
				return nil
			}()
		}()
	}
	kept := 0
	for running := writers; running > 0; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running--
		default:
		}
		for range 3 {
			least := len(answered)
			list, err := reader.FindList(t.Context(), octavo.Audience{}, pagestore.Query{Limit: writers * pages}, false)
			if err != nil {
				t.Fatal(err)
			}
			have := list.Answer()
			if n, _ := strconv.Atoi(string(have.Body)); have.Body != nil {
				kept++
				if n < least {
					t.Fatalf("an answer from memory has %d pages, %d were answered before", n, least)
				}
				continue
			}
			found, _, _, err := list.Pages(t.Context(), writers*pages)
			if err != nil || len(found) < least {
				t.Fatalf("have %d pages, %v, want %d at least", len(found), err, least)
			}
			list.Keep(Answer{Body: strconv.AppendInt(nil, int64(len(found)), 10)})
		}
	}
	for range 3 { // nobody writes any more
		list, err := reader.FindList(t.Context(), octavo.Audience{}, pagestore.Query{Limit: writers * pages}, false)
		if err != nil {
			t.Fatal(err)
		}
		if list.Answer().Body != nil {
			kept++
		}
		found, _, _, err := list.Pages(t.Context(), writers*pages)
		if err != nil || len(found) != writers*pages {
			t.Fatalf("have %d pages, %v, want %d", len(found), err, writers*pages)
		}
		list.Keep(Answer{Body: strconv.AppendInt(nil, int64(len(found)), 10)})
	}
	if kept == 0 {
		t.Error("no answer came from memory")
	}
}
