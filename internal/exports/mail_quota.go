package exports

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/quota"
)

const (
	// MaxMessages is how many messages about exports one subject may have sent
	// in a window of MessageWindow. The addresses are the caller's choice, and
	// so may be those of people who never asked for any.
	MaxMessages = 100
	// MessageWindow is how long a quota of messages lasts.
	MessageWindow = time.Hour
)

// countMessages charges the subject for the messages that its export will have
// sent, all or none, and refuses more than MaxMessages. uncount is for an export
// that is not accepted after all; removing one gives nothing back. Who
// administers the installation is not bounded, nor is a service without quotas
// or a mail server.
func (s *Service) countMessages(ctx context.Context, who Caller, channels []octavo.ExportChannel) (uncount func(), err error) {
	n := 0
	for _, c := range channels {
		if c.Kind == octavo.ChannelEmail {
			n++
		}
	}
	if n == 0 || s.Mailer == nil || s.Messages == nil || who.Scopes.Allow(octavo.ScopeAdmin) {
		return func() {}, nil
	}
	left, uncount, ok := s.Messages.TakeMany(ctx, quota.Key{Kind: "messages", ID: who.ID}, n, MaxMessages)
	if ok {
		return uncount, nil
	}
	return nil, &octavo.Error{
		Type: octavo.RateLimited, RetryAfter: left.Reset,
		Detail: fmt.Sprintf("At most %d messages about exports are sent for you in %d minutes (left: %d); omit channels of the kind email, or try again later.",
			MaxMessages, int(MessageWindow.Minutes()), left.Remaining),
	}
}
