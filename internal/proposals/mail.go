package proposals

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
)

const (
	// MailInterval is the minimum interval between a person's notification mails.
	MailInterval = 10 * time.Minute
	// maxMailDoubled is how often the interval is doubled after failures.
	maxMailDoubled = 3
	// maxMails is how many are sent at once.
	maxMails = 4
	// maxMailLines is how many notifications one mail lists.
	maxMailLines = 50
)

func mailWaits() proposalstore.MailWaits {
	return proposalstore.MailWaits{Gather: time.Minute, Pause: MailInterval, Retry: MailInterval << maxMailDoubled, Old: 24 * time.Hour}
}

// Mailer sends messages.
type Mailer interface {
	// Send sends a message once. An error that wraps mail.ErrRefused means
	// that retrying is useless.
	Send(ctx context.Context, m mail.Message) error
}

// Notifier mails people their notifications. Any number of processes may do so for one
// database: each notification is claimed by one of them. If a process is killed while
// it sends, what it claimed stays unsent, since sending it twice would be worse.
type Notifier struct {
	Mails       *proposalstore.Mails
	Suggestions func(context.Context) (bool, error) // whether readers see proposals of others
	Mailer      Mailer
	Now         func() time.Time
	Log         *slog.Logger
	PublicURL   string                      // of the API
	StudioURL   string                      // where people see proposals; "" if Studio is off
	AccountURL  string                      // where people turn mails off
	Observe     func(octavo.DeliveryStatus) // called for each attempt; may be nil
}

// Round mails all people whose mails are due.
func (n *Notifier) Round(ctx context.Context) error {
	for ctx.Err() == nil {
		due, err := n.Mails.Due(ctx, mailWaits(), maxMails)
		if err != nil || len(due) == 0 {
			return err
		}
		suggestions, err := n.Suggestions(ctx)
		if err != nil {
			return err
		}
		failures := make([]error, len(due))
		var group sync.WaitGroup
		for i, user := range due {
			group.Go(func() { failures[i] = n.mail(ctx, user, suggestions) })
		}
		group.Wait()
		if err := errors.Join(failures...); err != nil {
			return err
		}
	}
	return nil
}

// mail mails one person, and records the result.
func (n *Notifier) mail(ctx context.Context, user octavo.ID, suggestions bool) error {
	m, err := n.Mails.Claim(ctx, user, mailWaits(), suggestions)
	if err != nil || m == nil {
		return err
	}
	err = n.Mailer.Send(ctx, n.message(m))
	keep := context.WithoutCancel(ctx)
	again := err != nil && !errors.Is(err, mail.ErrRefused)
	if again && ctx.Err() != nil { // the server stops, which is not a failure of the mail
		return n.Mails.Again(keep, m, m.Tries, 0)
	}
	status := octavo.DeliverySucceeded
	if err != nil {
		if status = octavo.DeliveryAbandoned; again {
			status = octavo.DeliveryFailed
		}
		n.Log.WarnContext(ctx, "notifications were not mailed", "user", user, "notifications", len(m.Notes), "attempt", m.Tries+1, "again", again, "error", err)
	}
	if n.Observe != nil {
		n.Observe(status)
	}
	if again {
		return n.Mails.Again(keep, m, m.Tries+1, MailInterval<<min(m.Tries, maxMailDoubled))
	}
	return n.Mails.Sent(keep, m)
}

// message is the text of a mail. It says nothing about pages and comments.
func (n *Notifier) message(m *proposalstore.Mail) mail.Message {
	newest := m.Notes[len(m.Notes)-1]
	subject := fmt.Sprintf("%d notifications about proposals", len(m.Notes))
	if len(m.Notes) == 1 {
		subject = sentence(newest)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Hello %s,\n\n", oneLine(m.Name))
	for _, note := range m.Notes[:min(len(m.Notes), maxMailLines)] {
		fmt.Fprintf(&text, "- %s (%s)\n", sentence(note), note.ProposalID)
	}
	if more := len(m.Notes) - maxMailLines; more > 0 {
		fmt.Fprintf(&text, "- and %d more\n", more)
	}
	if n.StudioURL != "" {
		fmt.Fprintf(&text, "\nThe newest: %s/proposals/%s\n", n.StudioURL, newest.ProposalID)
	} else {
		fmt.Fprintf(&text, "\nTo see one: octavo proposals show --url %s %s\n", n.PublicURL, newest.ProposalID)
	}
	fmt.Fprintf(&text, "\nYou get at most one such mail in %d minutes. You can turn these mails off in your account: %s\n", MailInterval/time.Minute, n.AccountURL)
	return mail.Message{To: m.Email, Subject: subject, Text: text.String(), ID: string(newest.ID), Date: n.Now()}
}

// sentence is a notification in words.
func sentence(n octavo.Notification) string {
	who, what := oneLine(n.Actor.Name), "“"+oneLine(n.Title)+"”"
	switch n.Kind {
	case octavo.NoteReviewAsked:
		return who + " asks you to review " + what
	case octavo.NoteComment:
		return who + " commented on your proposal " + what
	case octavo.NoteReply:
		return who + " replied in your discussion of " + what
	case octavo.NoteMention:
		return who + " mentioned you in " + what
	case octavo.NoteApproved:
		return who + " approved your proposal " + what
	case octavo.NoteConflict:
		return who + " could not merge your proposal " + what + ": it conflicts with the current pages"
	case octavo.NoteMerged:
		return who + " merged your proposal " + what
	}
	return "Something happened to " + what
}

// oneLine makes a user's text one line.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
