package book

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestBooksGiveWay shows that a book rests between pages while a server answers
// requests, the more of them the longer, and only then.
func TestBooksGiveWay(t *testing.T) {
	t.Parallel()
	const pages, page = 1000, time.Millisecond
	for _, c := range []struct {
		perSecond float64 // requests
		want      float64 // times as long as the book takes by itself
	}{
		{0, 1}, {1, 1.02}, {20, 1.67}, {100, 3}, {2000, 21},
	} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			b := &Book{maker: &Maker{Answered: func() uint64 { return uint64(c.perSecond * time.Since(begun).Seconds()) }}}
			for range pages {
				b.giveWay(t.Context())
				time.Sleep(page) // the work on it
			}
			b.giveWay(t.Context())
			if have := time.Since(begun).Seconds() / (pages * page).Seconds(); have < c.want*0.9 || have > c.want*1.1 {
				t.Errorf("%v requests a second: the book takes %.2f times as long, want %.2f", c.perSecond, have, c.want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		(&Book{maker: &Maker{}}).giveWay(t.Context())
		if rested := time.Since(begun); rested > 0 {
			t.Errorf("without a server it rests %v", rested)
		}
	})
}
