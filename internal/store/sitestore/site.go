// Package sitestore stores the settings of the site for readers, its
// redirects, feedback and queries. Settings and redirects are changed in a
// transaction of [sqldb.DB.Write], with an entry in the audit log.
//
// It does not serve the site; package reader does. Start with site.go.
package sitestore

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ID is the identifier of the site settings in entity tags and conditions.
const ID octavo.ID = "site"

// setting is the name of the setting with all of them.
const setting = "site"

// Sites reads and changes the settings of the site and its redirects. It is safe
// for concurrent use.
type Sites struct {
	db      *sqldb.DB
	queries queries
}

// New returns the site of a database.
func New(db *sqldb.DB) *Sites { return &Sites{db: db} }

// stored is the stored form of the settings.
type stored struct {
	Version int64       `json:"version"` // rises by 1 with each change
	Site    octavo.Site `json:"site"`
}

func parse(text string) (s stored, err error) {
	s.Site = octavo.DefaultSite()
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("read the settings of the site: %w", err)
	}
	return s, nil
}

// Get returns the settings and their version. A home page that the audience
// does not see is nil.
func (s *Sites) Get(ctx context.Context, aud octavo.Audience) (site octavo.Site, version int64, err error) {
	text, _, err := s.db.Setting(ctx, setting)
	if err != nil {
		return site, 0, err
	}
	have, err := parse(text)
	if err != nil {
		return site, 0, err
	}
	if have.Site, err = hideHome(ctx, s.db.Read(), aud, have.Site); err != nil {
		return site, 0, err
	}
	return have.Site, have.Version, nil
}

// Language returns the language of the settings, or "".
func (s *Sites) Language(ctx context.Context) (string, error) {
	text, _, err := s.db.Setting(ctx, setting)
	if err != nil {
		return "", err
	}
	have, err := parse(text)
	return have.Site.Language, err
}

// Suggestions reports whether signed-in readers may propose changes.
func (s *Sites) Suggestions(ctx context.Context) (bool, error) {
	text, _, err := s.db.Setting(ctx, setting)
	if err != nil {
		return false, err
	}
	have, err := parse(text)
	return have.Site.Suggestions, err
}

func hideHome(ctx context.Context, c sqldb.Conn, aud octavo.Audience, site octavo.Site) (octavo.Site, error) {
	if site.Home == nil {
		return site, nil
	}
	seen, err := c.Row(ctx, []any{new(int)}, `SELECT 1 FROM pages WHERE id = $1 AND `+sqldb.Visible(aud, "pages"), sqldb.Plain(string(*site.Home)))
	if err != nil {
		return site, fmt.Errorf("look up the home page: %w", err)
	}
	if !seen {
		site.Home = nil
	}
	return site, nil
}

// Patch changes the settings by a merge patch, with site.changed in the
// audit log. A patch without effect changes nothing. Errors are
// InvalidRequest and PreconditionFailed.
func (s *Sites) Patch(ctx context.Context, cause sqldb.Cause, patch octavo.Value, match sqldb.IfMatch) (site octavo.Site, version int64, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		var text string
		if _, err := tx.Row([]any{&text}, `UPDATE settings SET value = value WHERE name = $1 RETURNING value`, setting); err != nil {
			return fmt.Errorf("lock the settings of the site: %w", err)
		}
		have, err := parse(text)
		if err != nil {
			return err
		}
		if match != nil && !match(ID, have.Version) {
			return octavo.Errorf(octavo.PreconditionFailed, "The settings of the site have changed since they were read.")
		}
		next := have
		if next.Site, err = have.Site.Patch(patch); err != nil {
			return err
		}
		if err := checkTargets(tx, have.Site, next.Site); err != nil {
			return err
		}
		if err := change(tx, have, &next); err != nil {
			return err
		}
		site, version = next.Site, next.Version
		site, err = hideHome(ctx, tx.Conn(), octavo.Audience{}, site)
		return err
	})
	return site, version, err
}

// checkTargets refuses new identifiers in the settings that are not an
// existing page or image.
func checkTargets(tx *sqldb.Tx, have, next octavo.Site) error {
	var faults octavo.Faults
	if id := next.Home; id != nil && (have.Home == nil || *have.Home != *id) {
		found, err := tx.Row([]any{new(int)}, `SELECT 1 FROM pages WHERE id = $1 AND `+sqldb.Visible(octavo.Audience{}, "pages"), *id)
		if err != nil {
			return fmt.Errorf("look up the home page: %w", err)
		}
		if !found {
			faults.Add("/home", "must be the identifier of a page that exists")
		}
	}
	before := have.Files()
	for pointer, id := range next.Files() {
		if before[pointer] == id {
			continue
		}
		var kind string
		if _, err := tx.Row([]any{&kind}, `SELECT content_type FROM assets WHERE id = $1`, id); err != nil {
			return fmt.Errorf("look up asset %s: %w", id, err)
		}
		if !strings.HasPrefix(kind, "image/") {
			faults.Add(pointer, "must be the identifier of an asset that is an image")
		}
	}
	return faults.Err()
}

// setFiles marks the assets of the settings as used.
func setFiles(tx *sqldb.Tx, site octavo.Site) error {
	if _, err := tx.Exec(`DELETE FROM site_assets`); err != nil {
		return fmt.Errorf("store the assets of the site: %w", err)
	}
	for _, id := range site.Files() {
		if _, err := tx.Exec(`INSERT INTO site_assets (asset_id) VALUES ($1) ON CONFLICT (asset_id) DO NOTHING`, id); err != nil {
			return fmt.Errorf("store the assets of the site: %w", err)
		}
	}
	return nil
}

func change(tx *sqldb.Tx, have stored, next *stored) error {
	changed := differing(have.Site, next.Site)
	if len(changed) == 0 {
		return nil
	}
	next.Version++
	text, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("store the settings of the site: %w", err)
	}
	if err := tx.SetSetting(setting, sqldb.Plain(string(text))); err != nil {
		return fmt.Errorf("store the settings of the site: %w", err)
	}
	if err := setFiles(tx, next.Site); err != nil {
		return err
	}
	if err := setReview(tx, next.Site.Review); err != nil {
		return err
	}
	if err := tx.SetSetting(sqldb.DialectSetting, string(next.Site.Dialect)); err != nil {
		return fmt.Errorf("store the dialect of the site: %w", err)
	}
	tx.TouchSite()
	return tx.Audit(octavo.AuditEntry{Action: octavo.SiteChanged, Detail: map[string]any{"changed": changed}})
}

// differing returns the names of the members that differ.
func differing(a, b octavo.Site) (names []string) {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range va.NumField() {
		if !reflect.DeepEqual(va.Field(i).Interface(), vb.Field(i).Interface()) {
			name, _, _ := strings.Cut(va.Type().Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}
