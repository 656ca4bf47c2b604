// Package mail sends messages through a mail server (SMTP): as text and HTML in one,
// over TLS unless disabled, and within a time limit. It uses go-mail, and adds limits,
// cancellation and protection against header injection.
//
// It keeps no queue and tries once. Callers decide whether and when to retry;
// ErrRefused distinguishes refusals from temporary failures.
package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
)

// Timeout bounds the sending of one message, from the first packet to the last.
const Timeout = 30 * time.Second

// ErrRefused means that the server permanently refuses a message, because of its
// recipient or content.
var ErrRefused = errors.New("the mail server permanently refuses the message")

// Options are the settings of a mail server.
type Options struct {
	// URL is smtp://user:password@host:port for STARTTLS, or smtps://… for TLS from the first
	// byte. The default ports are 587 and 465. The parameter insecure=true disables TLS; it
	// allows no password.
	URL string

	From    string         // for example Octavo <docs@example.com>
	Timeout time.Duration  // of one message; 0 means the constant Timeout
	RootCAs *x509.CertPool // CAs of the server; nil means the system's
}

// Sender sends messages, each over its own connection. It is safe for concurrent use.
type Sender struct {
	server  server
	from    *netmail.Address
	timeout time.Duration
	tls     *tls.Config
}

// New returns a Sender, or an error if options are invalid. It does not connect.
func New(o Options) (*Sender, error) {
	s := &Sender{timeout: o.Timeout}
	if s.timeout == 0 {
		s.timeout = Timeout
	}
	var err error
	if s.server, err = parseServer(o.URL); err != nil {
		return nil, err
	}
	if s.from, err = parseAddress(o.From); err != nil {
		return nil, fmt.Errorf("the sender %q is not a mail address: %w", o.From, err)
	}
	s.tls = &tls.Config{ServerName: s.server.host, RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12}
	return s, nil
}

// server is the parsed address of a mail server.
type server struct {
	host           string
	port           int
	direct         bool // TLS from the first byte
	insecure       bool // no TLS at all
	user, password string
}

// CheckURL returns what is wrong with the address of a mail server, as a predicate. The
// text never contains the address, which may have a password.
func CheckURL(address string) error {
	_, err := parseServer(address)
	return err
}

// parseServer reads the address of a mail server; see CheckURL for its errors.
func parseServer(address string) (s server, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return s, errors.New("must be a URL such as smtp://user:password@mail.example.com or smtps://user:password@mail.example.com:465")
	}
	s = server{host: u.Hostname(), port: 587, direct: u.Scheme == "smtps", user: u.User.Username()}
	s.password, _ = u.User.Password()
	if s.direct {
		s.port = 465
	}
	if port := u.Port(); port != "" {
		if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
			return s, errors.New("has a port that is none: give one from 1 to 65535")
		}
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return s, errors.New("has parameters that cannot be read: only insecure=true is known")
	}
	for name, values := range query {
		if name != "insecure" || len(values) != 1 || values[0] != "true" {
			return s, fmt.Errorf("has the parameter %q: only insecure=true is known", name)
		}
		s.insecure = true
	}
	switch {
	case s.insecure && s.direct:
		return s, errors.New("has both smtps and insecure=true: remove one of them")
	case s.insecure && u.User != nil:
		return s, errors.New("would send a password without TLS: remove insecure=true, or user and password")
	}
	return s, nil
}

// Send sends a message. The error wraps ErrRefused if retrying is useless.
func (s *Sender) Send(ctx context.Context, m Message) error {
	message, err := s.compose(m)
	if err != nil {
		return fmt.Errorf("compose the message: %w: %w", ErrRefused, err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	client, hangUp, err := s.client(ctx)
	if err != nil {
		return fmt.Errorf("prepare to send mail: %w", err)
	}
	defer hangUp()
	err = s.deliver(ctx, client, message)
	var failure *gomail.SendError
	switch {
	case err == nil || message.IsDelivered():
		return nil // a failing QUIT changes nothing
	case errors.As(err, &failure) && failure.ErrorCode() >= 500: // even if QUIT then times out
		return fmt.Errorf("send mail through %s: %w: %w", s.server.host, ErrRefused, err)
	case ctx.Err() != nil:
		return fmt.Errorf("send mail through %s: %w: %w", s.server.host, ctx.Err(), err)
	}
	return fmt.Errorf("send mail through %s: %w", s.server.host, err)
}

// deliver sends a message by a client. It refuses an address outside ASCII unless the
// server supports them (RFC 6531): such a server would refuse it at best.
func (s *Sender) deliver(ctx context.Context, client *gomail.Client, message *gomail.Msg) error {
	connection, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	takes, _ := connection.Extension("SMTPUTF8")
	if !takes && strings.ContainsFunc(s.from.Address+message.GetTo()[0].Address, func(r rune) bool { return r > unicode.MaxASCII }) {
		err = fmt.Errorf("%w: it takes no addresses beyond ASCII", ErrRefused)
	} else {
		err = client.SendWithSMTPClient(connection, message)
	}
	return errors.Join(err, client.CloseWithSMTPClient(connection))
}

// client returns a client for one message. The connection closes when ctx ends, which
// go-mail only observes until it is connected, and by hangUp, since go-mail does not close
// it after every error.
func (s *Sender) client(ctx context.Context) (client *gomail.Client, hangUp func(), err error) {
	closeConnection := func() {}
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		var connection net.Conn
		var err error
		if s.server.direct {
			connection, err = (&tls.Dialer{Config: s.tls}).DialContext(dialing, network, address)
		} else {
			connection, err = (&net.Dialer{}).DialContext(dialing, network, address)
		}
		if err != nil {
			return nil, err
		}
		unwatch := context.AfterFunc(ctx, func() { _ = connection.Close() }) // a blocked call fails at once
		closeConnection = func() {
			unwatch()
			_ = connection.Close() // usually closed already
		}
		return connection, nil
	}
	policy := gomail.TLSMandatory
	if s.server.direct || s.server.insecure {
		policy = gomail.NoTLS // TLS is on already, or disabled
	}
	options := []gomail.Option{
		gomail.WithPort(s.server.port), gomail.WithTimeout(s.timeout), gomail.WithTLSConfig(s.tls),
		gomail.WithTLSPolicy(policy), gomail.WithDialContextFunc(dial),
	}
	if s.server.user != "" {
		options = append(options, gomail.WithUsername(s.server.user), gomail.WithPassword(s.server.password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	client, err = gomail.NewClient(s.server.host, options...)
	return client, func() { closeConnection() }, err
}
