package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/config"
)

type loginCommand struct {
	URL    config.URL `name:"url" required:"" placeholder:"URL" help:"Address of the server."`
	Scopes scopesFlag `default:"pages:write" placeholder:"A,B" help:"Scopes to request: pages:read, pages:propose, pages:write, admin. You get no more than your role allows."`
	Again  bool       `help:"Sign in again, even if an earlier sign-in is still valid."`
}

const (
	loginTimeout  = 10 * time.Minute // that a person has to sign in
	answerTimeout = 30 * time.Second // that the server has to answer a request
)

func (c *loginCommand) Run(p *program) error {
	client := &http.Client{Timeout: answerTimeout}
	ctx := oidc.ClientContext(p.ctx, client)
	server, err := c.discover(ctx, client)
	if err != nil {
		return err
	}
	token, err := c.renew(ctx, server)
	if err != nil {
		return err
	}
	if token == nil {
		if token, err = c.signIn(ctx, p, server); err != nil {
			return err
		}
		err = withLogins(ctx, func(kept *logins) error {
			kept.Refresh[c.keptAs()] = token.RefreshToken
			return nil
		})
		if err != nil {
			return err
		}
	}
	return printLine(p.stdout, token.AccessToken)
}

// keptAs is the name of the stored sign-in. Each set of scopes has its own, so that
// no caller gets more than it requests.
func (c *loginCommand) keptAs() string { return string(c.URL) + " " + c.Scopes.String() }

// renew uses the stored refresh token, and stores the next one. It returns nil if
// there is none, or the server refuses it.
func (c *loginCommand) renew(ctx context.Context, server *oauth2.Config) (token *oauth2.Token, err error) {
	if c.Again {
		return nil, nil
	}
	err = withLogins(ctx, func(kept *logins) error {
		old := kept.Refresh[c.keptAs()]
		if old == "" {
			return nil
		}
		fresh, err := server.TokenSource(ctx, &oauth2.Token{RefreshToken: old}).Token()
		var refused *oauth2.RetrieveError
		switch {
		case err == nil:
			token, kept.Refresh[c.keptAs()] = fresh, fresh.RefreshToken
		case errors.As(err, &refused) && refusesToken(refused):
			delete(kept.Refresh, c.keptAs())
		default:
			return fmt.Errorf("renew the sign-in: %w", err)
		}
		return nil
	})
	return token, err
}

// refusesToken reports whether a response says that the refresh token is invalid
// (RFC 6749 section 5.2), and not that the server is unavailable.
func refusesToken(e *oauth2.RetrieveError) bool {
	status := e.Response.StatusCode
	return e.ErrorCode != "" && (status == http.StatusBadRequest || status == http.StatusUnauthorized)
}

// discover asks the server where people sign in (RFC 9728, OpenID Connect
// Discovery).
func (c *loginCommand) discover(ctx context.Context, client *http.Client) (*oauth2.Config, error) {
	address := string(c.URL) + "/.well-known/oauth-protected-resource"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, usageError{err}
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask %s where to sign in: %w", c.URL, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	var about struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
	}
	err = json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(&about)
	if err != nil || response.StatusCode != http.StatusOK || len(about.Servers) == 0 {
		return nil, fmt.Errorf("%s does not name its sign-in address (%s): is this the address of an Octavo server?", address, response.Status)
	}
	if about.Resource != string(c.URL) { // it must not be used then (RFC 9728 section 3.3)
		return nil, fmt.Errorf("the server at %s says that its address is %q: use that address, if it is the server you mean", c.URL, about.Resource)
	}
	provider, err := oidc.NewProvider(ctx, about.Servers[0])
	if err != nil {
		return nil, fmt.Errorf("ask %s how to sign in: %w", about.Servers[0], err)
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams // of a client without a secret
	return &oauth2.Config{
		ClientID: "cli_octavo", Endpoint: endpoint, Scopes: append(c.Scopes.List(), "offline_access"),
	}, nil
}

// returned is the response that the browser delivers.
type returned struct {
	code string
	err  error
}

// signIn signs a person in with a browser, which returns to a loopback port (RFC
// 8252 section 7.3).
func (c *loginCommand) signIn(parent context.Context, p *program, server *oauth2.Config) (*oauth2.Token, error) {
	ctx, cancel := context.WithTimeout(parent, loginTimeout)
	defer cancel()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("wait for the browser: %w", err)
	}
	server.RedirectURL = "http://" + listener.Addr().String() + "/callback"
	state, _, err := authserver.NewSecret(p.random)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	verifier := oauth2.GenerateVerifier()
	answers := make(chan returned, 1)
	srv := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: callback(state, answers)}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	// The resource limits the token to this server. So a server that sends people
	// to sign in at another server gets no token for that one.
	address := server.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", string(c.URL)))
	fmt.Fprintf(p.stderr, "octavo: open this address in a browser on this machine:\n%s\n", address)
	var found returned
	select {
	case found = <-answers:
	case <-ctx.Done():
		found.err = fmt.Errorf("nobody signed in: %w", ctx.Err())
	}
	stop, stopped := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stopped()
	if srv.Shutdown(stop) != nil {
		_ = srv.Close() // a browser that holds its connection is cut off
	}
	<-served //nolint:errcheck // always ErrServerClosed
	if found.err != nil {
		return nil, found.err
	}
	token, err := server.Exchange(parent, found.code, oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	return token, nil
}

// callback takes the first response that belongs to the sign-in.
func callback(state string, answers chan<- returned) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if r.URL.Path != "/callback" || q.Get("state") != state {
			http.NotFound(w, r) // not from the expected server
			return
		}
		found, text := returned{code: q.Get("code")}, "You are signed in. Close this window and go back to the terminal."
		if found.code == "" {
			found.err = fmt.Errorf("the server refused: %s", q.Get("error"))
			text = "You are not signed in."
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = fmt.Fprintln(w, text) // the terminal shows it too
		select {
		case answers <- found:
		default: // the browser came twice
		}
	})
}
