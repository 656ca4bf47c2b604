package main

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestListenForwards: events are printed and forwarded as by a webhook, until the program
// is interrupted.
func TestListenForwards(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	publish := func(slug string) {
		err := s.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, err := s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: slug, Content: "x", Status: octavo.Published}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	publish("before")
	type delivery struct {
		header http.Header
		body   []byte
	}
	arrived := make(chan delivery, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.URL.String() != "/hook?a=b" {
			t.Errorf("have %s %s, %v", r.Method, r.URL, err)
		}
		arrived <- delivery{r.Header, body}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, stdout := io.Pipe()
	told, stderr := io.Pipe()
	code := make(chan int)
	go func() {
		args := []string{"listen", "--url", s.URL, "--token", s.Token(t, auth.Grant{Scopes: octavo.ScopeRead}), "--forward-to", receiver.URL + "/hook?a=b"}
		code <- Run(ctx, args, strings.NewReader(""), stdout, stderr)
	}()
	said := bufio.NewScanner(told)
	said.Scan()
	secret, ok := strings.CutPrefix(said.Text(), "octavo: signing with whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if !ok || err != nil {
		t.Fatalf("first told %q, want the secret", said.Text())
	}
	if said.Scan(); said.Text() != "octavo: listening to "+s.URL {
		t.Fatalf("then told %q", said.Text())
	}
	lines := bufio.NewScanner(out)
	for _, slug := range []string{"one", "two"} {
		publish(slug)
		d := <-arrived
		var event octavo.Event
		var page octavo.Page
		if err := json.Unmarshal(d.body, &event); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(event.Data, &page); err != nil || page.Slug != slug || event.Type != octavo.PagePublished {
			t.Errorf("have %s, %v; want the publication of %s", d.body, err, slug)
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", d.header.Get("webhook-id"), d.header.Get("webhook-timestamp"), d.body)
		if have, want := d.header.Get("webhook-signature"), "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)); have != want || d.header.Get("webhook-id") != string(event.ID) {
			t.Errorf("have %v, want the signature %s", d.header, want)
		}
		want := fmt.Sprintf("page.published %s %s 204", event.ID, page.ID)
		if lines.Scan(); lines.Text() != want {
			t.Errorf("printed %q, want %q", lines.Text(), want)
		}
	}
	stop()
	select {
	case c := <-code:
		if c != exitDone {
			t.Errorf("have exit code %d, want 0", c)
		}
	case <-time.After(30 * time.Second):
		t.Error("the command did not end when it was told to")
	}
}
