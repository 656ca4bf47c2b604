package mail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

const user, password = "docs", "p@ss/word"

// received is a message as a server got it.
type received struct{ from, to, data string }

// mailServer is a real server of SMTP that keeps what it gets.
type mailServer struct {
	address string
	trust   *x509.CertPool
	refuse  *smtp.SMTPError // of every receiver, unless nil

	mu       sync.Mutex
	messages []received
}

// start starts a server: one that offers STARTTLS, that begins with TLS, or
// that has none.
func start(t *testing.T, mode string) *mailServer {
	t.Helper()
	m := &mailServer{}
	certificate := m.certificate(t)
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{server: m, signedIn: mode == "insecure" || mode == "utf8"}, nil
	}))
	s.EnableSMTPUTF8 = mode == "utf8"
	s.Domain, s.ErrorLog = "localhost", log.New(io.Discard, "", 0)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.address = listener.Addr().String()
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	switch mode {
	case "starttls":
		s.TLSConfig = config
	case "tls":
		listener = tls.NewListener(listener, config)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(listener) // which Close ends
	}()
	t.Cleanup(func() {
		_ = s.Close()
		_ = listener.Close() // which s does not know before it serves
		<-done
	})
	return m
}

func (m *mailServer) certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	m.trust = x509.NewCertPool()
	m.trust.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (m *mailServer) all() []received {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.messages
}

// session is what the server knows of one connection.
type session struct {
	server   *mailServer
	signedIn bool
	message  received
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, name, secret string) error {
		if name != user || secret != password {
			return errors.New("wrong user or password")
		}
		s.signedIn = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if !s.signedIn {
		return smtp.ErrAuthRequired
	}
	s.message.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.refuse != nil {
		return s.server.refuse
	}
	s.message.to += to
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.message.data = string(data)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.messages = append(s.server.messages, s.message)
	return nil
}

func (s *session) Reset()        { s.message = received{} }
func (s *session) Logout() error { return nil }
