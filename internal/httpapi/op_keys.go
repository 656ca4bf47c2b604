package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) listKeys(r *request) (*response, error) {
	return listByID(a, r, "api-keys", a.Keys.List, func(k store.Key) octavo.ID { return k.ID },
		func(dst []byte, k store.Key) []byte { return appendKey(dst, k, "") })
}

func (a *API) createKey(r *request) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	body, err := decodeBody(r)
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodeKeyCreate(body, strict(r))
	request := auth.KeyRequest{
		Name: in.Name, Kind: in.Kind, Scopes: in.Scopes, PublishedOnly: in.PublishedOnly, Tags: in.Tags, Lifetime: auth.DefaultKeyLifetime,
	}
	if in.RateLimit != nil {
		request.RateLimit = *in.RateLimit
	}
	if in.ExpiresAt != nil {
		request.Lifetime, request.ExpiresAt = 0, orNever(*in.ExpiresAt)
	}
	if err := both(err, request.Check(a.Now())); err != nil {
		return nil, err
	}
	text, key, err := a.Keys.Create(r.Context(), r.cause(), request)
	if err != nil {
		return nil, err
	}
	return a.keyMade(r, key, text), nil
}

func (a *API) getKey(r *request) (*response, error) {
	id, err := keyPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	key, err := a.Keys.Get(r.Context(), id)
	if err != nil {
		return nil, err
	}
	return jsonResponse(http.StatusOK, appendKey(nil, key, "")), nil
}

func (a *API) deleteKey(r *request) (*response, error) {
	id, err := keyPath(r)
	if err != nil {
		return nil, err
	}
	if err := a.Keys.Revoke(r.Context(), r.cause(), id); err != nil {
		return nil, err
	}
	return &response{status: http.StatusNoContent}, nil
}

func (a *API) rotateKey(r *request) (*response, error) {
	id, err := keyPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	body := octavo.Value{Kind: octavo.KindObject}
	if len(r.body) > 0 {
		if body, err = decodeBody(r); err != nil {
			return nil, err
		}
	}
	in, err := octavo.DecodeKeyRotate(body, strict(r))
	rotation := auth.Rotation{Grace: auth.DefaultKeyGrace}
	if in.GracePeriod != nil {
		rotation.Grace = *in.GracePeriod
	}
	if in.ExpiresAt != nil {
		rotation.Lifetime, rotation.ExpiresAt = new(time.Duration), orNever(*in.ExpiresAt)
	}
	if err := both(err, rotation.Check(a.Now())); err != nil {
		return nil, err
	}
	text, key, err := a.Keys.Rotate(r.Context(), r.cause(), id, rotation)
	if err != nil {
		return nil, err
	}
	return a.keyMade(r, key, text), nil
}

// keyMade answers with a key and its text, which nothing on the way may keep.
func (a *API) keyMade(r *request, k store.Key, text string) *response {
	resp := jsonResponse(http.StatusCreated, appendKey(nil, k, text))
	resp.header = map[string]string{
		"Location": a.PublicURL + "/" + r.version + "/api-keys/" + string(k.ID), "Cache-Control": "no-store",
	}
	return resp
}

// orNever is a time that may be null; the zero time stands for never.
func orNever(t octavo.OptTime) time.Time {
	if t.Value == nil {
		return time.Time{}
	}
	return *t.Value
}

// both joins what is wrong with the form of a body and with its meaning. A
// member whose form is wrong has no meaning yet.
func both(form, meaning error) error {
	var faults octavo.Faults
	faults.Merge(form)
	faults.MergeOthers(meaning)
	return faults.Err()
}

// keyPath returns the identifier of the key in the path. A key that was put in
// place of its identifier is not repeated.
func keyPath(r *request) (octavo.ID, error) {
	id := octavo.ID(r.PathValue("id"))
	if !octavo.ValidIdentifier(string(id)) {
		return "", octavo.Invalid("id", "must be an identifier such as key_01h455vb4pex5vsknk084sn02q")
	}
	if !id.Is(octavo.PrefixKey) {
		return "", octavo.Errorf(octavo.NotFound, "There is no such API key.")
	}
	return id, nil
}

// appendKey encodes a key, with its text when it was just made.
func appendKey(dst []byte, k store.Key, text string) []byte {
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
	dst = append(append(dst, `,"scopes":`...), encodeJSON(k.Scopes.List())...)
	dst = strconv.AppendBool(append(dst, `,"publishedOnly":`...), k.PublishedOnly)
	if len(k.Tags) > 0 {
		dst = append(append(append(dst, `,"filter":{"tags":`...), encodeJSON(k.Tags)...), '}')
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
