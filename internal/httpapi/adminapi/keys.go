// Package adminapi has the operations of administrators: API keys, people, OAuth
// clients, the audit log and the status of the installation. It decodes requests and
// encodes responses; accounts, authserver and store do the work. Start with
// [Operations].
package adminapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
)

// Operations are the operations of administrators.
type Operations struct {
	Keys    *auth.Keys
	Store   *store.Store
	Server  *authserver.Server // changes people and clients
	Search  *live.Service      // nil if another process searches
	Product string             // version of the program
}

// ListKeys returns one page of the API keys.
func (o Operations) ListKeys(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "api-keys", o.Keys.List, func(k accounts.Key) octavo.ID { return k.ID },
		withoutText)
}

func (o Operations) CreateKey(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodeKeyCreate(body, r.Strict())
	request := auth.KeyRequest{
		Name: in.Name, Kind: in.Kind, Scopes: in.Scopes, PublishedOnly: in.PublishedOnly, Tags: in.Tags, Lifetime: auth.DefaultKeyLifetime,
	}
	if in.RateLimit != nil {
		request.RateLimit = *in.RateLimit
	}
	if in.ExpiresAt != nil {
		request.Lifetime, request.ExpiresAt = 0, orNever(*in.ExpiresAt)
	}
	if err := both(err, request.Check(r.Now())); err != nil {
		return nil, err
	}
	text, key, err := o.Keys.Create(r.Context(), r.Cause(), request)
	if err != nil {
		return nil, err
	}
	return o.keyMade(r, key, text), nil
}

func (o Operations) GetKey(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.OK(withoutText).To(o.Keys.Get(r.Context(), id))
}

func (o Operations) DeleteKey(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.NoContent(o.Keys.Revoke(r.Context(), r.Cause(), id))
}

func (o Operations) RotateKey(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	body := octavo.Value{Kind: octavo.KindObject}
	if !r.Empty() {
		var err error
		if body, err = r.DecodeBody(); err != nil {
			return nil, err
		}
	}
	in, err := octavo.DecodeKeyRotate(body, r.Strict())
	rotation := auth.Rotation{Grace: auth.DefaultKeyGrace}
	if in.GracePeriod != nil {
		rotation.Grace = *in.GracePeriod
	}
	if in.ExpiresAt != nil {
		rotation.Lifetime, rotation.ExpiresAt = new(time.Duration), orNever(*in.ExpiresAt)
	}
	if err := both(err, rotation.Check(r.Now())); err != nil {
		return nil, err
	}
	text, key, err := o.Keys.Rotate(r.Context(), r.Cause(), id, rotation)
	if err != nil {
		return nil, err
	}
	return o.keyMade(r, key, text), nil
}

// KeyID returns the identifier of the API key in the path.
func KeyID(r *rest.Request) (octavo.ID, error) {
	return r.PathID("id", octavo.PrefixKey, "There is no such API key.")
}

// keyMade returns a key and its text, which no cache may store.
func (o Operations) keyMade(r *rest.Request, k accounts.Key, text string) *rest.Response {
	resp := rest.JSON(http.StatusCreated, appendKey(nil, k, text))
	resp.Header = map[string]string{
		"Location": r.Address("/api-keys/" + string(k.ID)), "Cache-Control": "no-store",
	}
	return resp
}

// orNever returns a time that may be null; the zero time means never.
func orNever(t octavo.OptTime) time.Time {
	if t.Value == nil {
		return time.Time{}
	}
	return *t.Value
}

// both joins the errors about the form of a body and about its meaning. A member with
// an invalid form has no meaning yet.
func both(form, meaning error) error {
	var faults octavo.Faults
	faults.Merge(form)
	faults.MergeOthers(meaning)
	return faults.Err()
}

func withoutText(dst []byte, k accounts.Key) []byte { return appendKey(dst, k, "") }

// appendKey encodes a key, including its text if it was just made.
func appendKey(dst []byte, k accounts.Key, text string) []byte {
	instant := func(name string, t time.Time) {
		if !t.IsZero() {
			dst = octavo.AppendTime(append(append(append(dst, `,"`...), name...), `":`...), t)
		}
	}
	dst = octavo.AppendString(append(dst, `{"id":`...), string(k.ID))
	if text != "" {
		dst = octavo.AppendString(append(dst, `,"key":`...), text)
	}
	dst = octavo.AppendString(append(dst, `,"name":`...), k.Name)
	dst = octavo.AppendString(append(dst, `,"kind":`...), string(k.Kind))
	dst = append(append(dst, `,"scopes":`...), rest.EncodeJSON(k.Scopes.List())...)
	dst = strconv.AppendBool(append(dst, `,"publishedOnly":`...), k.PublishedOnly)
	if len(k.Tags) > 0 {
		dst = append(append(append(dst, `,"filter":{"tags":`...), rest.EncodeJSON(k.Tags)...), '}')
	}
	if k.RateLimit > 0 {
		dst = strconv.AppendInt(append(dst, `,"rateLimit":`...), int64(k.RateLimit), 10)
	}
	instant("createdAt", k.CreatedAt)
	instant("rotatedAt", k.RotatedAt)
	instant("expiresAt", k.ExpiresAt)
	instant("revokedAt", k.RevokedAt)
	instant("lastUsedAt", k.LastUsedAt)
	return append(dst, '}')
}
