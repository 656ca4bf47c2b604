package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// Follow asks for what comes behind each answer, and ends with an error.
func TestFollow(t *testing.T) {
	want := []string{
		"limit=7&types=page.deleted%2Cpage.updated&wait=30", "after=2&limit=7&types=page.deleted%2Cpage.updated&wait=30",
		"after=5&limit=7&types=page.deleted%2Cpage.updated&wait=30",
	}
	var have []string
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		have = append(have, r.URL.RawQuery)
		switch len(have) {
		case 1:
			fmt.Fprint(w, `{"data":[{"id":"evt_1","type":"page.deleted","createdAt":"2026-01-31T12:00:00.000Z","data":{"id":"page_1"}}],"next":"2"}`)
		case 2:
			fmt.Fprint(w, `{"data":[],"next":"5"}`)
		default:
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusGone)
			fmt.Fprint(w, `{"type":"/problems/gone","title":"x","status":410,"oldest":"9"}`)
		}
	})
	told := ""
	for s, err := range c.Follow(t.Context(), client.EventQuery{Types: []octavo.EventType{octavo.PageDeleted, octavo.PageUpdated}, Limit: 7}) {
		if err != nil {
			var p *client.Problem
			if !errors.As(err, &p) {
				t.Fatal(err)
			}
			told += fmt.Sprint(p.Kind(), " ", p.Oldest)
			break
		}
		for _, e := range s.Data {
			told += fmt.Sprint(e.ID, " ", e.Type, " ", e.CreatedAt.Format(time.RFC3339), " ", string(e.Data), " ")
		}
		told += s.Next + ";"
	}
	if want := `evt_1 page.deleted 2026-01-31T12:00:00Z {"id":"page_1"} 2;5;gone 9`; told != want {
		t.Errorf("have %q, want %q", told, want)
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("asked for %q, want %q", have, want)
	}
}
