package webhooks_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/egress"
)

// certificate makes one that vouches for itself.
func certificate(t *testing.T, c x509.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.IsCA, c.BasicConstraintsValid = big.NewInt(1), true, true
	der, err := x509.CreateCertificate(rand.Reader, &c, &c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// raw answers connections in its own way, until the test ends.
func raw(t *testing.T, answer func(net.Conn)) (address string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var answering sync.WaitGroup
	answering.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			// The receiver need not close the connection.
			stop := context.AfterFunc(t.Context(), func() { _ = conn.Close() })
			answer(conn)
			stop()
			_ = conn.Close() // the other side may have done so
		}
	})
	t.Cleanup(func() { _ = listener.Close(); answering.Wait() })
	return listener.Addr().String()
}

// A receiver without a valid certificate or with an old version of TLS receives nothing,
// and the log says why. HTTP/2 is used if it is offered.
func TestTLS(t *testing.T) {
	year := 365 * 24 * time.Hour
	now := time.Now()
	here := []net.IP{net.IPv4(127, 0, 0, 1)}
	for name, c := range map[string]struct {
		certificate x509.Certificate
		unknown     bool   // nobody vouches for it
		most        uint16 // version of TLS
		error       string // "" for none
	}{
		"sound":            {certificate: x509.Certificate{IPAddresses: here, NotBefore: now.Add(-year), NotAfter: now.Add(year)}},
		"nobody's":         {certificate: x509.Certificate{IPAddresses: here, NotBefore: now.Add(-year), NotAfter: now.Add(year)}, unknown: true, error: "unknown authority"},
		"expired":          {certificate: x509.Certificate{IPAddresses: here, NotBefore: now.Add(-year), NotAfter: now.Add(-time.Hour)}, error: "expired"},
		"not valid yet":    {certificate: x509.Certificate{IPAddresses: here, NotBefore: now.Add(time.Hour), NotAfter: now.Add(year)}, error: "not yet valid"},
		"of another host":  {certificate: x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 2)}, NotBefore: now.Add(-year), NotAfter: now.Add(year)}, error: "not 127.0.0.1"},
		"of TLS 1.1 alone": {certificate: x509.Certificate{IPAddresses: here, NotBefore: now.Add(-year), NotAfter: now.Add(year)}, most: tls.VersionTLS11, error: "protocol version"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, optionsSQLite())
			v := &receiver{}
			v.Server = httptest.NewUnstartedServer(v)
			v.EnableHTTP2 = true
			v.Config.ErrorLog = log.New(io.Discard, "", 0)
			offered := certificate(t, c.certificate)
			v.TLS = &tls.Config{Certificates: []tls.Certificate{offered}, MinVersion: tls.VersionTLS10, MaxVersion: c.most}
			v.StartTLS()
			t.Cleanup(v.Close)
			roots := x509.NewCertPool()
			if !c.unknown {
				roots.AddCert(offered.Leaf)
			}
			w, _ := r.endpoint(v.URL)
			r.run(r.service(egress.Options{TLS: &tls.Config{RootCAs: roots}})) // with the versions of TLS that it takes by itself
			r.publish()
			d := r.ended(w.ID, 1)[0]
			if c.error == "" {
				if d.Status != octavo.DeliverySucceeded || v.all()[0].proto != 2 {
					t.Errorf("have %s %q, want it sent by HTTP/2", d.Status, d.Error)
				}
				return
			}
			if d.Status != octavo.DeliveryFailed || !strings.Contains(d.Error, c.error) || len(v.all()) != 0 {
				t.Errorf("have %s %q and %d requests, want it failed for %q", d.Status, d.Error, len(v.all()), c.error)
			}
		})
	}
	for name, c := range map[string]struct {
		answer func(net.Conn)
		error  string
	}{
		"plain HTTP": {func(conn net.Conn) {
			_, _ = conn.Read(make([]byte, 64<<10)) // what it says does not matter
			_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
		}, "HTTP response to HTTPS client"},
		"silent":   {func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }, "no answer within"},
		"hangs up": {func(conn net.Conn) { _, _ = conn.Read(make([]byte, 64<<10)) }, "EOF"},
		"no TLS":   {func(conn net.Conn) { _, _ = io.WriteString(conn, "220 mail.example ESMTP\r\n") }, "tls: "},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, optionsSQLite())
			w, _ := r.endpoint("https://" + raw(t, c.answer))
			r.run(r.hooks)
			r.publish()
			if d := r.ended(w.ID, 1)[0]; d.Status != octavo.DeliveryFailed || !strings.Contains(d.Error, c.error) {
				t.Errorf("have %s %q, want it failed for %q", d.Status, d.Error, c.error)
			}
		})
	}
}
