package webhooks

import (
	"net/http"

	"github.com/octavo-docs/octavo/internal/egress"
)

// What the connections to receivers are bounded by.
const (
	idleReceivers   = 1000      // connections kept
	idlePerReceiver = 256       // of them to one host, which may have several endpoints
	receiverAnswer  = 128 << 10 // bytes of an answer, which are more than are read
)

// NewClient returns the client that reaches receivers. The options say what it
// may connect to.
func NewClient(o egress.Options) *http.Client {
	o.Idle, o.IdlePerHost, o.MaxResponse = idleReceivers, idlePerReceiver, receiverAnswer
	o.Timeout = 2 * egress.DefaultTimeout // a try ends before
	return egress.New(o)
}
