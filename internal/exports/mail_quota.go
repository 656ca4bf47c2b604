package exports

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/quota"
)

const (
	// MaxMessages limits the messages about exports of one subject in a
	// window of MessageWindow. The caller chooses the addresses, which may
	// belong to people who never asked for a message.
	MaxMessages = 100
	// MessageWindow is the length of the quota window for messages.
	MessageWindow = time.Hour
)

// countMessages charges the subject for the messages of its export, all or
// none, and refuses more than MaxMessages. uncount is for an export that is
// not accepted after all; removing an export gives nothing back. There is no
// limit for administrators, and none without quotas or a mail server.
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
