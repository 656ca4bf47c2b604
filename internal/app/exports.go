package app

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/site"
	"github.com/octavo-docs/octavo/internal/store"
)

// exportSecret names the secret that signs the addresses of results.
const exportSecret = "export-address-key"

// What a server keeps of pages for the next site that has them: so many bytes,
// of about 9,000 pages of documentation, for so long.
const (
	keptOfSites  = 64 << 20
	keptForSites = 6 * time.Hour
)

// Formats returns what pages can be made into. What pages become in a site is
// kept in a cache, unless that is nil.
func Formats(cache *site.Cache) map[octavo.ExportFormat]exports.Format {
	return map[octavo.ExportFormat]exports.Format{
		octavo.ExportMarkdown: exports.NewMarkdown(), octavo.ExportHTML: exports.NewHTML(cache), octavo.ExportPDF: exports.NewPDF(font.Builtin(), "Octavo"),
	}
}

// Exports opens the exports of a store. Without credentials, which sign the
// addresses of results, they can be made at once only; mailer and counts may be
// nil.
func Exports(ctx context.Context, e Env, st *store.Store, blobs blob.Store, c *Credentials, files *assets.Service, publicURL string, mailer exports.Mailer, counts *metrics.Metrics) (*exports.Service, error) {
	var cache *site.Cache
	if c != nil { // else one file is made and no other
		cache = site.NewCache(keptOfSites, keptForSites, e.Now)
	}
	o := exports.Options{
		Store: st, Blobs: backup.Held(blobs, st, e.Now), Now: e.Now, Random: e.Random, Log: e.Log, Trace: e.Trace, PublicURL: publicURL, Formats: Formats(cache), AssetURL: files.URL,
		Mailer: mailer, Messages: quota.New(quota.Options{Now: e.Now, Window: exports.MessageWindow, Source: st.Quotas(), Log: e.Log}),
		Alone: !st.Shared(), // the data folder is locked
	}
	if c != nil {
		key, err := c.Vault.Ensure(ctx, exportSecret, 32)
		if err != nil {
			return nil, err
		}
		o.Key = key
	}
	if counts != nil {
		o.Answered = counts.Answered
		o.Observe = func(format octavo.ExportFormat, status octavo.ExportStatus, took time.Duration, size int64) {
			counts.Export(string(format), string(status), took, size)
		}
		o.ObserveMessage = func(status octavo.DeliveryStatus) { counts.ExportMessage(string(status)) }
	}
	return exports.New(o), nil
}

// Mailer returns what sends messages, nil where there is no mail server.
func Mailer(o mail.Options) (exports.Mailer, error) {
	if o.URL == "" {
		return nil, nil
	}
	sender, err := mail.New(o)
	if err != nil {
		return nil, fmt.Errorf("prepare the sending of messages: %w", err)
	}
	return sender, nil
}
