package mail

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var sample = Message{
	To: "Ann Lee <ann@example.com>", Subject: "Grüße: your export", Text: "Hello,\n.\nit is ready — here.\n", HTML: "<p>It is <b>ready</b>.</p>\n",
	ID: "exp_01", Date: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
}

// sender returns a Sender to a server.
func sender(t *testing.T, m *mailServer, mode string) *Sender {
	t.Helper()
	address := map[string]string{
		"starttls": "smtp://" + url.UserPassword(user, password).String() + "@" + m.address,
		"tls":      "smtps://" + url.UserPassword(user, password).String() + "@" + m.address,
		"insecure": "smtp://" + m.address + "?insecure=true",
		"utf8":     "smtp://" + m.address + "?insecure=true",
	}[mode]
	s, err := New(Options{URL: address, From: "Octavo <docs@example.org>", RootCAs: m.trust, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSend(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"starttls", "tls", "insecure"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			m := start(t, mode)
			if err := sender(t, m, mode).Send(t.Context(), sample); err != nil {
				t.Fatal(err)
			}
			messages := m.all()
			if len(messages) != 1 || messages[0].from != "docs@example.org" || messages[0].to != "ann@example.com" {
				t.Fatalf("have %+v, want one message from docs@example.org to ann@example.com", messages)
			}
			check(t, messages[0].data)
		})
	}
}

// check reads the sample back.
func check(t *testing.T, data string) {
	t.Helper()
	message, err := netmail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	for name, want := range map[string]string{
		"From": `"Octavo" <docs@example.org>`, "To": `"Ann Lee" <ann@example.com>`, "Message-Id": "<exp_01@example.org>",
		"Date": "Wed, 04 Mar 2026 05:06:07 +0000", "Auto-Submitted": "auto-generated",
	} {
		if have := message.Header.Get(name); have != want {
			t.Errorf("%s: have %q, want %q", name, have, want)
		}
	}
	if have, err := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject")); have != sample.Subject || err != nil {
		t.Errorf("Subject: have %q, %v, want %q", have, err, sample.Subject)
	}
	kind, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("have %s, %v, want multipart/alternative", kind, err)
	}
	parts := multipart.NewReader(message.Body, params["boundary"])
	for _, want := range []struct{ kind, body string }{{"text/plain; charset=UTF-8", sample.Text}, {"text/html; charset=UTF-8", sample.HTML}} {
		part, err := parts.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		have := strings.ReplaceAll(string(body), "\r\n", "\n")
		if err != nil || part.Header.Get("Content-Type") != want.kind || strings.TrimSpace(have) != strings.TrimSpace(want.body) {
			t.Errorf("have %s %q, %v, want %s %q", part.Header.Get("Content-Type"), have, err, want.kind, want.body)
		}
	}
}

func TestMailHeaderInjection(t *testing.T) {
	t.Parallel()
	m := start(t, "insecure")
	s := sender(t, m, "insecure")
	for _, attack := range []string{"x\r\nBcc: eve@example.com", "x\nBcc: eve@example.com", "x\r\n\r\nBcc: eve", "x\u2028Bcc: eve", "x\x00\x1bBcc: eve"} {
		evil := sample
		evil.Subject, evil.Text = attack, attack
		if err := s.Send(t.Context(), evil); err != nil {
			t.Errorf("subject %q: %v", attack, err)
		}
		evil = sample
		evil.To = attack + " <ann@example.com>"
		if err := s.Send(t.Context(), evil); err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("to %q: have %v, want ErrRefused", attack, err)
		}
		evil = sample
		evil.ID = attack
		if err := s.Send(t.Context(), evil); !errors.Is(err, ErrRefused) {
			t.Errorf("id %q: have %v, want ErrRefused", attack, err)
		}
	}
	for _, got := range m.all() {
		message, err := netmail.ReadMessage(strings.NewReader(got.data))
		if err != nil || message.Header.Get("Bcc") != "" || message.Header.Get("Message-Id") == "" || got.to != "ann@example.com" {
			t.Errorf("%v, to %s:\n%s", err, got.to, got.data)
		}
	}
}

// TestAddressesBeyondASCII shows that a domain is sent in ASCII, and what stands
// before it to servers alone that take it.
func TestAddressesBeyondASCII(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ mode, to, want string }{
		{"insecure", "ann@münchen.example", "ann@xn--mnchen-3ya.example"},
		{"utf8", "ann@münchen.example", "ann@xn--mnchen-3ya.example"},
		{"utf8", "jürgen@example.com", "jürgen@example.com"},
		{"insecure", "jürgen@example.com", ""},
		{"insecure", "ann@-ü.example", ""},
	} {
		m := start(t, c.mode)
		message := sample
		message.To = c.to
		err := sender(t, m, c.mode).Send(t.Context(), message)
		if errors.Is(err, ErrRefused) != (c.want == "") || err != nil && c.want != "" {
			t.Errorf("%s, %s: have %v, want it refused: %t", c.mode, c.to, err, c.want == "")
		}
		to := ""
		if list := m.all(); len(list) > 0 {
			to = list[0].to
		}
		if to != c.want {
			t.Errorf("%s, %s: the server has a message to %q, want %q", c.mode, c.to, to, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		refuse  *smtp.SMTPError
		to      string
		forGood bool
	}{
		{"no such receiver", &smtp.SMTPError{Code: 550, Message: "no such user"}, sample.To, true},
		{"try later", &smtp.SMTPError{Code: 450, Message: "busy"}, sample.To, false},
		{"no address", nil, "ann", true},
		{"two addresses", nil, "ann@example.com, eve@example.com", true},
	} {
		m := start(t, "insecure")
		m.refuse = c.refuse
		message := sample
		message.To = c.to
		err := sender(t, m, "insecure").Send(t.Context(), message)
		if err == nil || errors.Is(err, ErrRefused) != c.forGood {
			t.Errorf("%s: have %v, want an error that is for good: %v", c.name, err, c.forGood)
		}
		if have := m.all(); len(have) != 0 {
			t.Errorf("%s: the server got %+v", c.name, have)
		}
	}
}

func TestSendWithoutTLS(t *testing.T) {
	t.Parallel()
	plain := start(t, "insecure") // offers no STARTTLS
	if err := sender(t, plain, "starttls").Send(t.Context(), sample); err == nil || len(plain.all()) != 0 {
		t.Errorf("a server without STARTTLS: have %v and %d messages, want an error and none", err, len(plain.all()))
	}
	stranger := start(t, "tls")
	stranger.trust = start(t, "tls").trust
	err := sender(t, stranger, "tls").Send(t.Context(), sample)
	if err == nil || !strings.Contains(err.Error(), "certificate") || errors.Is(err, ErrRefused) {
		t.Errorf("a server that nobody vouches for: have %v, want an error of its certificate", err)
	}
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	m := start(t, "starttls")
	s, err := New(Options{URL: "smtp://docs:hush@" + m.address, From: "docs@example.org", RootCAs: m.trust})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Send(t.Context(), sample)
	if err == nil || strings.Contains(err.Error(), "hush") || errors.Is(err, ErrRefused) {
		t.Errorf("have %v, want an error without the password, and to try again once it is mended", err)
	}
}

func TestSilentServers(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent := "smtp://" + listener.Addr().String()
	s, err := New(Options{URL: silent, From: "docs@example.org", Timeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var late net.Error
	if err := s.Send(t.Context(), sample); !errors.As(err, &late) || !late.Timeout() || errors.Is(err, ErrRefused) {
		t.Errorf("a silent server: have %v, want a deadline", err)
	}
	s.timeout = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if c, err := listener.Accept(); err == nil { // that of the first try
			_ = c.Close()
		}
		if _, err := listener.Accept(); err == nil {
			cancel()
		}
	}()
	if err := s.Send(ctx, sample); !errors.Is(err, context.Canceled) {
		t.Errorf("given up while the server is silent: have %v, want %v", err, context.Canceled)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), sample); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("no server: have %v, want an error that may pass", err)
	}
}

// TestSlowServers: a server that keeps sending without ever finishing is given up at the
// timeout.
func TestSlowServers(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{
		"a greeting byte by byte": "220 ",
		"lines without end":       "220-a\r\n220-b\r\n220-",
		"after its greeting":      "220 mail.example ESMTP\r\n250-",
	} {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for _, err = io.WriteString(conn, begin); err == nil; _, err = io.WriteString(conn, "x") {
				<-tick.C
			}
		}()
		s, err := New(Options{URL: "smtp://" + listener.Addr().String() + "?insecure=true", From: "docs@example.org", Timeout: 200 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		var late net.Error
		if err := s.Send(t.Context(), sample); !errors.As(err, &late) || !late.Timeout() || errors.Is(err, ErrRefused) {
			t.Errorf("%s: have %v, want a deadline", name, err)
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s: given up after %s, want soon after 200ms", name, took)
		}
		_ = listener.Close() // it was asked once
		<-done
	}
}

// TestRefusalBeforeSilence: a refusal counts, whatever happens to the connection
// afterwards.
func TestRefusalBeforeSilence(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		answers := map[string]string{"EHLO": "250 mail.example", "NOOP": "250 yes", "MAIL": "250 yes", "RCPT": "550 nobody has this address"}
		_, _ = io.WriteString(conn, "220 mail.example ESMTP\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); { // until the sender hangs up
			if answer := answers[lines.Text()[:min(4, len(lines.Text()))]]; answer != "" {
				_, _ = io.WriteString(conn, answer+"\r\n")
			} else {
				stop()
			}
		}
	}()
	s, err := New(Options{URL: "smtp://" + listener.Addr().String() + "?insecure=true", From: "docs@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(ctx, sample); !errors.Is(err, ErrRefused) {
		t.Errorf("refused, and then silent: have %v, want %v", err, ErrRefused)
	}
	_ = listener.Close() // it was asked once
	<-done
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ url, from, want string }{
		{"smtp://mail.example.com", "docs@example.com", ""},
		{"smtps://me:hush@[::1]:4650", "Octavo <docs@example.com>", ""},
		{"smtp://mail.example.com?insecure=true", "docs@example.com", ""},
		{"http://me:hush@mail.example.com", "docs@example.com", "must be a URL"},
		{"smtp://me:hush@mail.example.com/box", "docs@example.com", "must be a URL"},
		{"smtp://me:hush@mail.example.com:0", "docs@example.com", "port"},
		{"smtp://me:hush@mail.example.com:99999", "docs@example.com", "port"},
		{"smtp://me:hush@mail.example.com?tls=no", "docs@example.com", "insecure=true"},
		{"smtp://me:hush@mail.example.com?insecure=true", "docs@example.com", "without TLS"},
		{"smtps://mail.example.com?insecure=true", "docs@example.com", "remove one"},
		{"smtp://me:hush@mail:x:y/%", "docs@example.com", "must be a URL"},
		{"smtp://mail.example.com", "docs", "not a mail address"},
		{"smtp://mail.example.com", "a@b.example\r\nBcc: c@d.example", "not a mail address"},
	} {
		_, err := New(Options{URL: c.url, From: c.from})
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hush")) {
			t.Errorf("%s from %q: have %v, want %q", c.url, c.from, err, c.want)
		}
	}
}
