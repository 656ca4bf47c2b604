package faulttest

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// listener receives notifications of exports, by HTTP and by mail. It does not answer the
// first attempts.
type listener struct {
	mu    sync.Mutex
	names map[string][]string // what each got, by the name that it has at every try
	quiet chan struct{}       // closed when those that wait for an answer are let go
}

// got records a notification, and reports whether to answer it.
func (l *listener) got(receiver, name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names[receiver] = append(l.names[receiver], name)
	return len(l.names[receiver]) > 1
}

// all returns nil once every receiver has that many.
func (l *listener) all(n int, receivers ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range receivers {
		if len(l.names[r]) < n {
			return errNotYet(fmt.Sprintf("%s got %q, want %d", r, l.names[r], n))
		}
	}
	return nil
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a killed server may have sent a part
	if !l.got(r.URL.Path, r.Header.Get("Webhook-Id")) {
		<-l.quiet
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// Mail, Rcpt, Data, Reset and Logout implement smtp.Session.
func (l *listener) Mail(string, *smtp.MailOptions) error { return nil }
func (l *listener) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (l *listener) Reset()                               {}
func (l *listener) Logout() error                        { return nil }

func (l *listener) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := netmail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if !l.got("mail", m.Header.Get("Message-Id")) {
		<-l.quiet
		return smtp.ErrServerClosed
	}
	return nil
}

// newListener returns the addresses of a listener.
func newListener(t *testing.T) (l *listener, web, mail string) {
	t.Helper()
	l = &listener{names: map[string][]string{}, quiet: make(chan struct{})}
	server := httptest.NewServer(l)
	conns, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	box := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return l, nil }))
	box.Domain, box.ErrorLog = "localhost", log.New(io.Discard, "", 0)
	var serving sync.WaitGroup
	serving.Go(func() { _ = box.Serve(conns) }) // which Close ends
	t.Cleanup(func() {
		close(l.quiet)
		server.Close()
		_ = box.Close()
		_ = conns.Close() // which box does not know before it serves
		serving.Wait()
	})
	return l, server.URL, conns.Addr().String()
}

// A server is killed while a webhook, a callback and a mail server have received the end
// of an export but not answered. After its restart it sends the same notifications again,
// with the same id and result.
func TestKilledWhileTellingOfExports(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	l, web, mail := newListener(t)
	flags := []string{"--allow-private-destinations", "127.0.0.0/8", "--smtp-url", "smtp://" + mail + "?insecure=true", "--mail-from", "docs@example.com"}
	s := in.serve(t, flags...)
	a := newAPI(t, s.url, in.token(t))
	res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/exports", body: object{
		"format": "markdown", "scope": "published", "callbackUrl": web + "/callback",
		"delivery": object{"channels": []object{{"kind": "webhook", "url": web + "/webhook"}, {"kind": "email", "email": "ann@example.com"}}},
	}})
	var e octavo.Export
	if err == nil {
		err = json.Unmarshal(res.body, &e)
	}
	if err != nil || res.status != http.StatusAccepted {
		t.Fatalf("have %s, %v", res, err)
	}
	read := func() (e2 octavo.Export) {
		res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/exports/" + string(e.ID)})
		if err == nil {
			err = json.Unmarshal(res.body, &e2)
		}
		if err != nil || res.status != http.StatusOK {
			t.Fatalf("have %s, %v", res, err)
		}
		return e2
	}
	receivers := []string{"/webhook", "/callback", "mail"}
	until(t, "wait until each is told", func() error { return l.all(1, receivers...) })
	before := read()
	s.kill()
	s = in.serve(t, flags...)
	a.url = s.url
	until(t, "wait until each is told again", func() error { return l.all(2, receivers...) })
	until(t, "wait until that is noted", func() error {
		for _, d := range read().Deliveries {
			if d.Status != octavo.DeliverySucceeded {
				return errNotYet(fmt.Sprintf("%+v", d))
			}
		}
		return nil
	})
	l.mu.Lock()
	for receiver, names := range l.names {
		if slices.Sort(names); names[0] == "" || len(slices.Compact(slices.Clone(names))) != 1 || len(names) != 2 {
			t.Errorf("%s was told %q, want the same twice", receiver, names)
		}
	}
	if have := slices.Sorted(maps.Keys(l.names)); len(have) != 3 || l.names["/webhook"][0] != l.names["/callback"][0] {
		t.Errorf("have %v, want one event for webhook and callback", l.names)
	}
	l.mu.Unlock()
	if after := read(); after.SHA256 != before.SHA256 || before.SHA256 == "" || len(after.Deliveries) != 3 {
		t.Errorf("have the result %q after the kill and %q before, with %d deliveries", after.SHA256, before.SHA256, len(after.Deliveries))
	}
	if err := sameNumber(filepath.Join(in.storage[1], "files"), 1); err != nil {
		t.Error(err)
	}
	in.doctor(t)
	s.stop(t)
}

// An export without space for its file leaves no part of it, blocks nothing else, and is
// retried by the same process when there is space.
func TestExportToAFullDisk(t *testing.T) {
	t.Parallel()
	const size, room = 8 << 20, 256 << 10
	disk := testenv.SmallDisk(t, size)
	data := t.TempDir()
	if err := os.Mkdir(disk.File("files"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(disk.Path, "files"), filepath.Join(data, "files")); err != nil {
		t.Fatal(err)
	}
	in := &installation{[]string{"--data", data}, disk.Command}
	s := in.serve(t)
	api, err := client.New(s.url, client.WithToken(in.token(t)))
	if err != nil {
		t.Fatal(err)
	}
	page := func(slug string, random int) {
		text := make([]byte, random)
		_, _ = rand.Read(text) // it never fails
		if _, err := api.Create(t.Context(), octavo.PageCreate{Title: slug, Slug: slug, Content: hex.EncodeToString(text), Status: octavo.Published}); err != nil {
			t.Fatal(err)
		}
	}
	for _, slug := range []string{"a", "b", "c"} {
		page(slug, 600<<10)
	}
	if err := os.WriteFile(disk.File("ballast"), make([]byte, size-room), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := api.CreateExport(t.Context(), json.RawMessage(`{"format":"markdown","scope":"published"}`))
	if err != nil {
		t.Fatal(err)
	}
	until(t, "wait until it finds no space", func() error {
		if !strings.Contains(s.log.String(), "export failed and will be retried") {
			return errNotYet("it was not refused")
		}
		return nil
	})
	if err := sameNumber(disk.File("files"), 0); err != nil {
		t.Errorf("after a try without space: %v", err)
	}
	page("d", 10)
	if have, err := api.Export(t.Context(), e.ID); err != nil || have.Status.Ended() {
		t.Errorf("have it %s, %v; want it tried again", have.Status, err)
	}
	if err := os.Remove(disk.File("ballast")); err != nil {
		t.Fatal(err)
	}
	e, err = api.AwaitExport(t.Context(), e.ID, nil)
	if err != nil || e.Status != octavo.ExportReady || e.Progress.Total != 3 {
		t.Fatalf("have %+v, %v; want it ready with the pages that it was asked for", e, err)
	}
	sum := sha256.New()
	if _, err := api.Download(t.Context(), e, sum); err != nil || hex.EncodeToString(sum.Sum(nil)) != e.SHA256 {
		t.Errorf("download: have %x, %v; want %s", sum.Sum(nil), err, e.SHA256)
	}
	if err := sameNumber(disk.File("files"), 1); err != nil {
		t.Error(err)
	}
	in.doctor(t)
	s.stop(t)
}
