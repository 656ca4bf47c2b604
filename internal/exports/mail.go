package exports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Mailer sends messages.
type Mailer interface {
	// Send sends a message once. An error that wraps mail.ErrRefused means
	// that retrying is useless.
	Send(ctx context.Context, m mail.Message) error
}

// NewMailer returns the mailer of a mail server, or nil if there is none.
func NewMailer(o mail.Options) (Mailer, error) {
	if o.URL == "" {
		return nil, nil
	}
	sender, err := mail.New(o)
	return sender, octavo.Wrapf(err, "prepare the sending of messages")
}

const (
	// mailTimeout limits one attempt to send a message, including the reads for it.
	mailTimeout = mail.Timeout + 15*time.Second
	// messageLease is the length of a message's lease.
	messageLease = mailTimeout + 15*time.Second
	// maxMessages is how many are sent at once.
	maxMessages = 4
)

// mailPause is the backoff after a failed attempt. After the last one, a day
// and a half later, a message is given up.
func mailPause(attempt int) (after time.Duration, again bool) {
	pauses := [...]time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 8 * time.Hour, 24 * time.Hour}
	if attempt > len(pauses) {
		return 0, false
	}
	return pauses[max(attempt, 1)-1], true
}

func messageWaits() sqldb.Waits {
	w := sqldb.Waits{Lease: messageLease, Retry: []time.Duration{0}}
	for n := 1; ; n++ {
		after, again := mailPause(n)
		if !again {
			return w
		}
		w.Retry = append(w.Retry, after)
	}
}

func (s *Service) sendMessages(ctx context.Context) error {
	for ctx.Err() == nil {
		lease, err := sqldb.DrawLease(s.Random)
		if err != nil {
			return err
		}
		list, err := s.Exports.ClaimMessages(ctx, lease, messageWaits(), maxMessages)
		if err != nil || len(list) == 0 {
			return err
		}
		// All at once, so that all leases outlast the slowest of them.
		failures := make([]error, len(list))
		var group sync.WaitGroup
		for i, c := range list {
			group.Go(func() { failures[i] = s.sendMessage(ctx, c) })
		}
		group.Wait()
		if err := errors.Join(failures...); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) sendMessage(ctx context.Context, c exportstore.Channel) error {
	o := exportstore.MessageOutcome{Channel: c, Status: octavo.DeliverySucceeded}
	err := s.send(ctx, c)
	if err != nil && ctx.Err() != nil && !errors.Is(err, mail.ErrRefused) { // the server stops, which is not a failure of the message
		return s.Exports.ReleaseMessage(context.WithoutCancel(ctx), c)
	}
	if err != nil {
		after, again := mailPause(c.Attempt)
		o.Status, o.Error = octavo.DeliveryAbandoned, reasonOf(err)
		if again && !errors.Is(err, mail.ErrRefused) {
			o.Status, o.RetryAfter = octavo.DeliveryPending, after
		}
		s.Log.WarnContext(ctx, "a message about an export was not sent", "export", c.ExportID, "channel", c.Number, "attempt", c.Attempt, "again", o.Status == octavo.DeliveryPending, "error", err)
	}
	if s.ObserveMessage != nil {
		told := o.Status
		if told == octavo.DeliveryPending {
			told = octavo.DeliveryFailed
		}
		s.ObserveMessage(told)
	}
	return s.Exports.FinishMessage(context.WithoutCancel(ctx), o)
}

var errNoMailer = errors.New("this server sends no mail")

// reasonOf says, for its recipient, why a message was not sent. Details of
// the mail server and the database are only logged.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, errNoMailer):
		return "This server sends no mail."
	case errors.Is(err, mail.ErrRefused):
		return "The mail server permanently refuses the message."
	}
	return "The message could not be sent."
}

func (s *Service) send(ctx context.Context, c exportstore.Channel) error {
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	if s.Mailer == nil {
		return fmt.Errorf("%w: %w", mail.ErrRefused, errNoMailer)
	}
	x, err := s.Exports.Get(ctx, c.ExportID)
	if err != nil {
		return err
	}
	m, err := messageOf(s.view(x, x.Version, nil))
	if err != nil {
		return fmt.Errorf("%w: %w", mail.ErrRefused, err)
	}
	m.To, m.ID, m.Date = c.Address, fmt.Sprintf("%s-%d", c.ExportID, c.Number), s.Now()
	return s.Mailer.Send(ctx, m)
}

// messageText is the message as HTML; its values are escaped.
const messageText = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p>{{.Line}}</p>
{{if .URL}}<p><a href="{{.URL}}">Download it</a> ({{.Size}})</p>
<p>The download ends on {{.Ends}}.{{if .Warnings}} The report has {{.Warnings}} warnings.{{end}} Whoever has the address may download: take care whom you pass it on to.</p>
{{end}}<p style="color: #666">Export {{.ID}}</p>
</body></html>
`

func messageOf(e octavo.Export) (mail.Message, error) {
	say := struct {
		Subject, Line, URL, Size, Ends string
		Warnings                       int
		ID                             octavo.ID
	}{ID: e.ID, Warnings: len(e.Report.Warnings), Size: sizeText(e.Size), Ends: e.ExpiresAt.UTC().Format("2 January 2006 at 15:04 UTC")}
	var text string
	if e.DownloadURL != nil {
		say.Subject = fmt.Sprintf("Your %s export is ready", e.Format)
		say.Line, say.URL = say.Subject+".", *e.DownloadURL
		text = fmt.Sprintf("%s\n\nDownload it (%s):\n%s\n\nThe download expires on %s.", say.Line, say.Size, say.URL, say.Ends)
		if say.Warnings > 0 {
			text += fmt.Sprintf(" The report has %d warnings.", say.Warnings)
		}
		text += " Anybody with the address can download it: be careful to whom you give it.\n"
	} else {
		say.Subject = fmt.Sprintf("Your %s export has failed", e.Format)
		say.Line = say.Subject + "."
		if e.Error != nil && e.Error.Detail != "" {
			say.Line += " " + e.Error.Detail
		}
		text = say.Line + "\n"
	}
	text += "\nExport " + string(e.ID) + "\n"
	t, err := template.New("message").Parse(messageText)
	if err != nil {
		return mail.Message{}, fmt.Errorf("read the template of messages: %w", err)
	}
	var page bytes.Buffer
	if err := t.Execute(&page, say); err != nil {
		return mail.Message{}, fmt.Errorf("write a message: %w", err)
	}
	return mail.Message{Subject: say.Subject, Text: text, HTML: page.String()}, nil
}

func sizeText(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
