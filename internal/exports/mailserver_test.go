package exports_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
)

// mailServer is a real server of SMTP that answers every receiver in a way, and
// keeps what it takes.
type mailServer struct {
	address string
	refuse  *smtp.SMTPError // of every receiver, unless nil

	mu  sync.Mutex
	got [][]byte
}

// session is one connection to it.
type session struct{ *mailServer }

func (session) Mail(string, *smtp.MailOptions) error { return nil }
func (session) Reset()                               {}
func (session) Logout() error                        { return nil }

func (s session) Rcpt(string, *smtp.RcptOptions) error {
	if s.refuse != nil {
		return s.refuse
	}
	return nil
}

func (s session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, text)
	return err
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	exporttest.Must(t, err)
	return listener
}

func startMailServer(t *testing.T, refuse *smtp.SMTPError) *mailServer {
	t.Helper()
	listener := listen(t)
	m := &mailServer{address: listener.Addr().String(), refuse: refuse}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return session{m}, nil }))
	s.Domain, s.ErrorLog = "localhost", log.New(io.Discard, "", 0)
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Serve(listener) }) // which Close ends
	t.Cleanup(func() {
		_ = s.Close()
		_ = listener.Close() // which s does not know before it serves
		serving.Wait()
	})
	return m
}

// downServer returns an address that nobody listens on, and nobody else can
// take meanwhile.
func downServer(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	exporttest.Must(t, err)
	t.Cleanup(func() { exporttest.Must(t, syscall.Close(fd)) })
	exporttest.Must(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	name, err := syscall.Getsockname(fd)
	exporttest.Must(t, err)
	return fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
}

// slowServer greets byte by byte until it is released, and then hangs up.
func slowServer(t *testing.T) (address string, asked <-chan struct{}, release func()) {
	t.Helper()
	listener := listen(t)
	arrived, released := make(chan struct{}, 100), make(chan struct{})
	release = sync.OnceFunc(func() { close(released) })
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			arrived <- struct{}{}
			serving.Go(func() {
				defer conn.Close()
				tick := time.NewTicker(20 * time.Millisecond)
				defer tick.Stop()
				for text := "220 " + strings.Repeat("x", 1<<20); ; text = text[1:] {
					select {
					case <-released:
						return
					case <-tick.C:
						_, _ = io.WriteString(conn, text[:1]) // the client hung up
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		release()
		_ = listener.Close()
		serving.Wait()
	})
	return listener.Addr().String(), arrived, release
}

func senderTo(t *testing.T, address string) *mail.Sender {
	t.Helper()
	s, err := mail.New(mail.Options{URL: "smtp://" + address + "?insecure=true", From: "Octavo <docs@example.org>"})
	exporttest.Must(t, err)
	return s
}

// through works on exports, with mail through a server.
func (r *rig) through(m exports.Mailer) (stop func()) {
	o := r.Options
	o.Mailer = m
	return r.run(exports.New(o))
}

func mailed(to string) octavo.ExportRequest {
	return octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{Channels: []octavo.ExportChannel{{Kind: octavo.ChannelEmail, Email: to}}}}
}

// awaitTry waits until so many tries were made to send the message of an export.
func (r *rig) awaitTry(id octavo.ID, n int) exportstore.Channel {
	r.Helper()
	var c exportstore.Channel
	exporttest.Until(r, func() bool {
		channels, err := r.Store.Exports.Channels(context.Background(), []octavo.ID{id})
		exporttest.Must(r, err)
		c = channels[id][0]
		return c.Attempt == n && c.Lease == 0
	})
	return c
}

// TestMailServerFailures shows that a message outlasts a mail server that is
// down, slow and busy: it comes when the server does, once, and nothing else
// waits for it.
func TestMailServerFailures(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *exporttest.Clock) {
		r.page(exporttest.Published("a", "a"))
		r.Mailer = senderTo(t, downServer(t)) // so that nobody is told that there is none
		e := r.create(ann, mailed("ann@example.com"))
		wantTry := func(n int) {
			t.Helper()
			c := r.awaitTry(e.ID, n)
			if c.Status != octavo.DeliveryPending || c.Error != "The message could not be sent." {
				t.Errorf("try %d: have %s %q, want another try", n, c.Status, c.Error)
			}
		}
		stop := r.through(r.Mailer)
		if have := r.await(e.ID); have.Status != octavo.ExportReady {
			t.Errorf("have %+v, want it ready although nobody can be told", have)
		}
		wantTry(1)
		stop()

		address, asked, release := slowServer(t)
		clock.Forward(time.Minute)
		stop = r.through(senderTo(t, address))
		<-asked
		if other := r.await(r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished}).ID); other.Status != octavo.ExportReady {
			t.Errorf("have %+v, want it ready while a message is under way", other)
		}
		release()
		wantTry(2)
		stop()

		clock.Forward(5 * time.Minute)
		stop = r.through(senderTo(t, startMailServer(t, &smtp.SMTPError{Code: 451, Message: "busy"}).address))
		wantTry(3)
		stop()

		clock.Forward(30 * time.Minute)
		m := startMailServer(t, nil)
		stop = r.through(senderTo(t, m.address))
		if c := r.awaitTry(e.ID, 4); c.Status != octavo.DeliverySucceeded {
			t.Errorf("have %+v, want it sent", c)
		}
		clock.Forward(48 * time.Hour)
		stop()
		stop = r.through(senderTo(t, m.address))
		r.await(r.create(ann, mailed("bob@example.com")).ID)
		exporttest.Until(r, func() bool { m.mu.Lock(); defer m.mu.Unlock(); return len(m.got) >= 2 })
		stop()
		if len(m.got) != 2 || !bytes.Contains(m.got[0], []byte("ann@example.com")) || !bytes.Contains(m.got[1], []byte("bob@example.com")) {
			t.Fatalf("have %d messages, want one for each: %s", len(m.got), m.got)
		}
		e = r.await(e.ID)
		for kind, text := range parts(t, m.got[0]) {
			if !strings.Contains(html.UnescapeString(text), *e.DownloadURL) {
				t.Errorf("%s lacks %s: %s", kind, *e.DownloadURL, text)
			}
		}
	})
}

// parts reads a message of several, by their kinds.
func parts(t *testing.T, message []byte) map[string]string {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(message))
	exporttest.Must(t, err)
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("have %s, %v; want text and HTML in one", kind, err)
	}
	list := map[string]string{}
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if err == io.EOF {
			break
		}
		exporttest.Must(t, err)
		if have := p.Header.Get("Content-Transfer-Encoding"); have != "quoted-printable" {
			t.Fatalf("a part is encoded as %q", have)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(p))
		exporttest.Must(t, err)
		kind, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		exporttest.Must(t, err)
		list[kind] = string(text)
	}
	if len(list) != 2 || list["text/plain"] == "" || list["text/html"] == "" {
		t.Fatalf("have %v, want text and HTML", list)
	}
	return list
}

// A permanently refused message is not sent again, and the export's record says so.
func TestMailServerRefuses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	m := startMailServer(t, &smtp.SMTPError{Code: 550, Message: "no such user at 10.0.0.5"})
	r.Mailer = senderTo(t, m.address)
	e := r.create(ann, mailed("nobody@example.com"))
	r.run(r.Service)
	c := r.awaitTry(e.ID, 1)
	if c.Status != octavo.DeliveryAbandoned || c.Error != "The mail server permanently refuses the message." || len(m.got) != 0 {
		t.Errorf("have %+v and %d messages, want it given up", c, len(m.got))
	}
}
