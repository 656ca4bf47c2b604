package authserver

import (
	"context"
	"fmt"
	"html"
	"log/slog"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/mail"
)

// maxOutbox limits the queued messages; more are dropped and logged.
const maxOutbox = 100

type Mailer interface {
	// Send sends a message and does not retry.
	Send(ctx context.Context, m mail.Message) error
}

// Outbox sends messages one after another, so that no request waits for a mail server.
// Queued messages are lost when the server stops. A nil Outbox sends nothing.
type Outbox struct {
	mailer Mailer
	log    *slog.Logger
	work   chan func(context.Context) (mail.Message, error)
}

// NewOutbox returns an outbox, nil without a mailer. Run sends its messages.
func NewOutbox(mailer Mailer, log *slog.Logger) *Outbox {
	if mailer == nil {
		return nil
	}
	return &Outbox{mailer: mailer, log: log, work: make(chan func(context.Context) (mail.Message, error), maxOutbox)}
}

func (o *Outbox) Run(ctx context.Context) {
	if o == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case compose := <-o.work:
			m, err := compose(ctx)
			if err == nil {
				err = o.mailer.Send(ctx, m)
			}
			if err != nil && !octavo.IsType(err, octavo.NotFound) && !octavo.IsType(err, octavo.RateLimited) {
				o.log.WarnContext(ctx, "a link was not sent", "error", err)
			}
		}
	}
}

// send queues a message.
func (o *Outbox) send(m mail.Message) {
	o.later(func(context.Context) (mail.Message, error) { return m, nil })
}

// later queues a message that is composed in the background.
func (o *Outbox) later(compose func(context.Context) (mail.Message, error)) {
	if o == nil {
		return
	}
	select {
	case o.work <- compose:
	default:
		o.log.Warn("a link was not sent: too many messages are waiting")
	}
}

func invitation(u octavo.User, url string, now time.Time) mail.Message {
	return message(u, now, "You are invited to Octavo", "Choose the password with which you will sign in:", url,
		fmt.Sprintf("The link works once, within %d hours.", LinkLife/time.Hour))
}

func forgotten(u octavo.User, url string, now time.Time) mail.Message {
	return message(u, now, "Set a new password for Octavo", "Somebody asked for this at the sign-in page. Set a new password here:", url,
		fmt.Sprintf("The link works once, within %d hours. If this was not you, do nothing: your password stays the same.", LinkLife/time.Hour))
}

func message(u octavo.User, now time.Time, subject, before, url, after string) mail.Message {
	h := html.EscapeString
	return mail.Message{
		To: u.Email, Subject: subject, ID: fmt.Sprintf("%s-%d", u.ID, now.UnixMilli()), Date: now,
		Text: fmt.Sprintf("Hello %s,\n\n%s\n\n%s\n\n%s\n", u.Name, before, url, after),
		HTML: fmt.Sprintf("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body>\n<p>Hello %s,</p>\n<p>%s</p>\n<p><a href=\"%s\">%s</a></p>\n<p>%s</p>\n</body></html>\n",
			h(subject), h(u.Name), h(before), h(url), h(url), h(after)),
	}
}
