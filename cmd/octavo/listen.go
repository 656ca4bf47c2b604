package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/egress"
)

type listenCommand struct {
	URL       config.URL `name:"url" required:"" placeholder:"URL" help:"Address of the server."`
	Token     string     `env:"OCTAVO_TOKEN" required:"" placeholder:"TOKEN" help:"Access token or API key for the server, with the scope pages:read."`
	ForwardTo string     `placeholder:"URL" help:"Send each event to this address, signed like a webhook."`
	Types     []string   `placeholder:"A,B" help:"Types of events to print. Default: page.published and page.deleted."`
	After     string     `placeholder:"POSITION" help:"Start after this position of the feed; 0 starts with the oldest stored event. Default: only new events."`
	Secret    string     `env:"OCTAVO_WEBHOOK_SECRET" placeholder:"SECRET" help:"Sign with this webhook secret. Default: a new secret, which is printed."`
}

// Run prints and forwards events until the program is interrupted.
func (c *listenCommand) Run(p *program) error {
	api, err := connect(string(c.URL), c.Token, "listen")
	if err != nil {
		return err
	}
	var forward *forwarder
	if c.ForwardTo != "" {
		if forward, err = newForwarder(p, c.ForwardTo, c.Secret); err != nil {
			return err
		}
		defer forward.http.CloseIdleConnections()
	}
	q := client.EventQuery{After: c.After}
	for _, t := range c.Types {
		q.Types = append(q.Types, octavo.EventType(t))
	}
	if q.After == "" {
		// A request for a type that does not exist returns the end of the feed.
		end, err := api.Events(p.ctx, client.EventQuery{Types: []octavo.EventType{"octavo.none"}})
		if err != nil {
			return unlessStopped(p.ctx, err)
		}
		q.After = end.Next
	}
	fmt.Fprintf(p.stderr, "octavo: listening to %s\n", c.URL)
	for {
		for slice, err := range api.Follow(p.ctx, q) {
			var answered *client.Problem
			if p.ctx.Err() != nil || errors.As(err, &answered) && answered.Status < http.StatusInternalServerError {
				return unlessStopped(p.ctx, err)
			}
			if err != nil {
				fmt.Fprintf(p.stderr, "octavo: %v; trying again\n", err) // the client has waited between its attempts
				break
			}
			if err := tell(p, slice.Data, forward); err != nil {
				return err
			}
			q.After = slice.Next
		}
	}
}

// tell prints events, and forwards them if forward is not nil.
func tell(p *program, events []octavo.Event, forward *forwarder) error {
	for _, event := range events {
		line := fmt.Sprintf("%s %s %s", event.Type, event.ID, subjectOf(event))
		if forward != nil {
			line += " " + forward.send(p.ctx, event)
		}
		if err := printLine(p.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// unlessStopped drops the error of an interrupted program.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// subjectOf is the id of the object of an event.
func subjectOf(e octavo.Event) octavo.ID {
	var subject struct {
		ID octavo.ID `json:"id"`
	}
	if json.Unmarshal(e.Data, &subject) != nil || subject.ID == "" {
		return "-"
	}
	return subject.ID
}

// secretPrefix begins a secret of Standard Webhooks; base 64 follows.
const secretPrefix = "whsec_"

// forwarder sends events to one address as a webhook would.
type forwarder struct {
	p    *program
	http *http.Client
	url  string
	sign *standardwebhooks.Webhook
}

// newForwarder makes and prints a secret if none is given.
func newForwarder(p *program, url, secret string) (*forwarder, error) {
	if fault := octavo.CheckHTTPURL(url); fault != "" {
		return nil, usageError{errors.New("--forward-to " + fault)}
	}
	anywhere := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}
	f := &forwarder{p: p, url: url, http: egress.New(egress.Options{Allow: anywhere, Resolver: net.DefaultResolver})}
	if secret == "" {
		key := make([]byte, 32)
		if _, err := io.ReadFull(p.random, key); err != nil {
			return nil, fmt.Errorf("make a secret: %w", err)
		}
		secret = secretPrefix + base64.StdEncoding.EncodeToString(key)
		fmt.Fprintf(p.stderr, "octavo: signing with %s\n", secret)
	}
	var err error
	if f.sign, err = standardwebhooks.NewWebhook(secret); err != nil || !strings.HasPrefix(secret, secretPrefix) || secret == secretPrefix {
		return nil, usageError{errors.New("--secret must be " + secretPrefix + " and base 64 behind it")}
	}
	return f, nil
}

// send sends an event and returns the outcome: a status, or why there is none.
func (f *forwarder) send(ctx context.Context, e octavo.Event) string {
	body := e.AppendJSON(nil)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	sent := f.p.now()
	signature, err := f.sign.Sign(string(e.ID), sent, body)
	if err != nil {
		return err.Error()
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "octavo-listen",
		"webhook-id": string(e.ID), "webhook-timestamp": strconv.FormatInt(sent.Unix(), 10), "webhook-signature": signature,
	} {
		r.Header.Set(name, value)
	}
	answer, err := f.http.Do(r)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close() //nolint:errcheck // the body is not needed
	return strconv.Itoa(answer.StatusCode)
}
