// Package settingsapi has the operations on the settings of the site for readers, its
// redirects, feedback and queries. Package siteapi serves the site. Start with
// [Operations].
package settingsapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/sitestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Operations are the operations on the site.
type Operations struct{ Sites *sitestore.Sites }

// Get returns the settings.
func (o Operations) Get(r *rest.Request) (*rest.Response, error) {
	site, version, err := o.Sites.Get(r.Context(), r.Principal.Audience())
	if err != nil {
		return nil, err
	}
	return settings(site, version), nil
}

// Patch changes some of the settings.
func (o Operations) Patch(r *rest.Request) (*rest.Response, error) {
	match, err := r.WriteCondition()
	if err != nil {
		return nil, err
	}
	patch, err := r.DecodeBody(rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	site, version, err := o.Sites.Patch(r.Context(), r.Cause(), patch, match)
	if err != nil {
		return nil, err
	}
	return settings(site, version), nil
}

// settings returns the settings. Their entity tag includes whether the home page is
// shown, since that changes without them.
func settings(site octavo.Site, version int64) *rest.Response {
	resp := rest.JSON(http.StatusOK, site.AppendJSON(nil))
	resp.Tag = rest.EntityTag{ID: sitestore.ID.Suffix(), Version: version}
	if site.Home != nil {
		resp.Tag.View = "h"
	}
	return resp
}

// ListRedirects returns one page of the redirects.
func (o Operations) ListRedirects(r *rest.Request) (*rest.Response, error) {
	return rest.List(r, r.Params(), "redirects", func(ctx context.Context, after *sqldb.Cursor, limit int) ([]octavo.Redirect, bool, error) {
		if after == nil {
			after = &sqldb.Cursor{}
		}
		return o.Sites.Redirects(ctx, after.Key, limit)
	}, func(x octavo.Redirect) sqldb.Cursor { return sqldb.Cursor{Key: x.From} }, rest.AppendAny[octavo.Redirect])
}

// SetRedirect adds a redirect, or replaces the one from the same path.
func (o Operations) SetRedirect(r *rest.Request) (*rest.Response, error) {
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	redirect, err := octavo.DecodeRedirect(body, r.Strict())
	if err != nil {
		return nil, err
	}
	if elsewhere(redirect.To, r.Address("")) && !r.Principal.Scopes.Allow(octavo.ScopeAdmin) {
		return nil, r.Lacks(octavo.ScopeAdmin, "A redirect to another host needs the scope %s.")
	}
	added, err := o.Sites.SetRedirect(r.Context(), r.Cause(), redirect)
	if err != nil {
		return nil, err
	}
	resp := rest.JSON(http.StatusOK, rest.EncodeJSON(redirect))
	if added {
		resp.Status = http.StatusCreated
		resp.Header = map[string]string{"Location": r.Address("/redirects?" + url.Values{"from": {redirect.From}}.Encode())}
	}
	return resp, nil
}

// elsewhere reports whether a redirect leads to another host than own.
func elsewhere(to, own string) bool {
	if strings.HasPrefix(to, "/") {
		return false
	}
	there, err := url.Parse(strings.TrimSuffix(to, "*"))
	here, ownErr := url.Parse(own)
	return err != nil || ownErr != nil || !strings.EqualFold(there.Host, here.Host)
}

// DeleteRedirect removes a redirect.
func (o Operations) DeleteRedirect(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	from, ok := p.Get("from")
	if !ok && p.Faults.Err() == nil {
		p.Faults.Add("from", "is required")
	}
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	return rest.NoContent(o.Sites.DeleteRedirect(r.Context(), r.Cause(), from))
}
