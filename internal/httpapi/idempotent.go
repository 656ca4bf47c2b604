package httpapi

import (
	"crypto/sha256"
	"errors"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// serveIdempotent carries out an operation so that its repetition with the
// same Idempotency-Key gets the first answer again (decision 18). A change and
// its answer are committed together; the answer to a request that changed
// nothing is kept afterwards.
func (a *API) serveIdempotent(r *request) {
	key, err := idempotencyKey(r)
	if err != nil {
		a.writeProblem(r, err)
		return
	}
	if key == "" {
		a.finish(r, r.route.handle)
		return
	}
	claim := newClaim(r, key, r.Header.Get("Content-Type"), r.body)
	if kept, found, err := a.Idempotency.Replay(r.Context(), claim); err != nil || found {
		a.replay(r, kept, err)
		return
	}
	r.claim = claim
	resp, err := r.route.handle(r)
	var replay *store.ReplayError
	if errors.As(err, &replay) { // answered by another request in the meantime
		a.replay(r, replay.Response, nil)
		return
	}
	if err != nil {
		a.keepRefusal(r, claim, err)
		return
	}
	a.write(r, resp)
}

// idempotencyKey reads the Idempotency-Key; "" is none.
func idempotencyKey(r *request) (string, error) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	valid := len(values) == 1 && len(key) >= 1 && len(key) <= 255
	for _, c := range []byte(key) {
		valid = valid && c > ' ' && c < 0x7f
	}
	if !valid {
		return "", octavo.Invalid("Idempotency-Key", "must be given once and have 1 to 255 visible ASCII characters")
	}
	return key, nil
}

// newClaim ties the request, whose body is of that type and content, to a key.
func newClaim(r *request, key, contentType string, content []byte) *store.Claim {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery, contentType} {
		h.Write([]byte(part + "\x00"))
	}
	h.Write(content)
	c := &store.Claim{Owner: r.principal.ID + "\x00" + r.principal.Client, Key: key}
	if r.principal.Audience().PublishedOnly {
		c.Owner += "\x00published" // of one subject too, what was told to who sees more is not for who sees less
	}
	h.Sum(c.Hash[:0])
	return c
}

func (a *API) replay(r *request, kept store.Response, err error) {
	if err != nil {
		a.writeProblem(r, err)
		return
	}
	resp := &response{status: kept.Status, header: map[string]string{"Idempotency-Replayed": "true"}, body: kept.Body}
	for name, value := range kept.Header {
		if name == "Content-Type" {
			resp.contentType = value
			continue
		}
		resp.header[name] = value
	}
	a.write(r, resp)
}

// maxKeptRefusal is the longest refusal that is kept, in bytes: whoever may ask
// for anything can cause as many as the rate limit lets through, each of which
// may repeat much of its request, and be kept for a day.
const maxKeptRefusal = 4 << 10

// keepRefusal answers a request that changed nothing and keeps the answer when
// a repetition would get the same. One that is too long to be kept is found out
// anew by the repetition.
func (a *API) keepRefusal(r *request, claim *store.Claim, err error) {
	var e *octavo.Error
	if errors.As(err, &e) && !errors.Is(err, store.ErrInProgress) && repeatable(e.Type.Info().Status) {
		kept := a.problem(r, err).keep()
		if len(kept.Body) > maxKeptRefusal {
			a.writeProblem(r, err)
			return
		}
		if err := a.Idempotency.Outcome(r.Context(), claim, kept); err != nil {
			a.writeProblem(r, err)
			return
		}
	}
	a.writeProblem(r, err)
}

// repeatable reports whether a refusal is replayed: 4xx except those that say
// to try again.
func repeatable(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status >= 400 && status < 500
}

// keep is the response as the store keeps it.
func (resp *response) keep() store.Response {
	kept := store.Response{Status: resp.status, Header: map[string]string{}, Body: resp.body}
	for name, value := range resp.header {
		kept.Header[name] = value
	}
	if resp.contentType != "" {
		kept.Header["Content-Type"] = resp.contentType
	}
	if resp.tag != (entityTag{}) {
		kept.Header["ETag"] = resp.tag.String()
	}
	return kept
}
