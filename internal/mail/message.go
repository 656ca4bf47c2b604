package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Message is a message to one recipient. Text and HTML have the same content.
type Message struct {
	To      string // one address, with or without a name
	Subject string
	Text    string
	HTML    string // "" sends only text

	// ID identifies the message, so that receivers can detect duplicates; it consists of
	// letters, digits, hyphens and underscores.
	ID   string
	Date time.Time
}

// compose returns the message to send. Headers never contain line breaks, so a value
// cannot add a header.
func (s *Sender) compose(m Message) (*gomail.Msg, error) {
	to, err := parseAddress(m.To)
	if err != nil {
		return nil, fmt.Errorf("%q is not a mail address: %w", m.To, err)
	}
	to.Name = line(to.Name)
	if m.ID == "" || strings.Trim(m.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return nil, fmt.Errorf("%q cannot name a message", m.ID)
	}
	message := gomail.NewMsg()
	message.FromMailAddress(s.from)
	message.ToMailAddress(to)
	message.Subject(line(m.Subject))
	message.SetUserAgent("Octavo")
	message.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no holiday replies
	_, domain, _ := strings.Cut(s.from.Address, "@")
	message.SetMessageIDWithValue(m.ID + "@" + domain)
	message.SetDateWithValue(m.Date)
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return message, nil
}

// parseAddress reads one address, with or without a name. It converts the domain to ASCII,
// which every server accepts.
func parseAddress(text string) (*netmail.Address, error) {
	a, err := netmail.ParseAddress(text)
	if err != nil {
		return nil, err
	}
	at := strings.LastIndexByte(a.Address, '@') + 1
	domain := a.Address[at:]
	if !strings.ContainsFunc(domain, func(r rune) bool { return r > unicode.MaxASCII }) {
		return a, nil
	}
	if domain, err = idna.Lookup.ToASCII(domain); err != nil {
		return nil, fmt.Errorf("the domain is none: %w", err)
	}
	a.Address = a.Address[:at] + domain
	return a, nil
}

// line turns a text into one line.
func line(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }), " ")
}
