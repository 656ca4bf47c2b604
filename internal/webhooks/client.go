package webhooks

import (
	"net/http"

	"github.com/octavo-docs/octavo/internal/egress"
)

// Limits of the connections to receivers.
const (
	idleReceivers   = 1000      // connections kept
	idlePerReceiver = 256       // to one host, which may have several webhooks
	receiverAnswer  = 128 << 10 // bytes of a response, more than are read
)

// NewClient returns the client for requests to receivers. The options say
// what it may connect to.
func NewClient(o egress.Options) *http.Client {
	o.Idle, o.IdlePerHost, o.MaxResponse = idleReceivers, idlePerReceiver, receiverAnswer
	o.Timeout = 2 * egress.DefaultTimeout // an attempt ends before
	return egress.New(o)
}
