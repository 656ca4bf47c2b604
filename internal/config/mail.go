package config

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"

	"github.com/octavo-docs/octavo/internal/mail"
)

type Mail struct {
	SMTPURL  MailServer `group:"Mail" name:"smtp-url" placeholder:"URL" secret:"" help:"Mail server for outgoing messages, as smtp://user:password@host:587 with STARTTLS, or smtps://… with TLS from the start. The parameter insecure=true turns TLS off, and allows no user and password. Needs --mail-from. Without a mail server, no messages about exports, no links for people and no notifications of proposals are mailed."`
	MailFrom string     `group:"Mail" name:"mail-from" placeholder:"ADDRESS" help:"Sender of messages, such as Octavo <docs@example.com>."`
}

func (o *Mail) check() error {
	all := faults{o.SMTPURL.check()}
	all.add(o.SMTPURL != "" && o.MailFrom == "", "--smtp-url needs --mail-from: the address that messages come from")
	_, err := netmail.ParseAddress(o.MailFrom)
	all.add(o.MailFrom != "" && err != nil, "--mail-from must be a mail address, such as Octavo <docs@example.com>")
	return errors.Join(all...)
}

// MailServer is the address of a mail server; "" means none. It formats without its
// password.
type MailServer string

// check is not UnmarshalText, since kong's errors would show the value.
func (m MailServer) check() error {
	if m == "" {
		return nil
	}
	if err := mail.CheckURL(string(m)); err != nil {
		return fmt.Errorf("--smtp-url %w", err)
	}
	return nil
}

// String masks the password.
func (m MailServer) String() string {
	u, err := url.Parse(string(m))
	if err != nil {
		return masked
	}
	return u.Redacted()
}
