package app

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store"
)

// exportSecret names the secret that signs the addresses of results.
const exportSecret = "export-address-key"

// Exports opens the exports of a store, with a folder of fonts. mailer and counts may be
// nil.
func Exports(ctx context.Context, e Env, st *store.Store, blobs blob.Store, c *Credentials, files *assets.Service, publicURL, fonts string, mailer exports.Mailer, counts *metrics.Metrics) (*exports.Service, error) {
	key, err := c.Vault.Ensure(ctx, exportSecret, 32)
	if err != nil {
		return nil, err
	}
	o := exports.Options{
		DB: st.DB, Exports: st.Exports, Pages: st.Selection, Assets: st.Assets, Blobs: blobs, Now: e.Now, Random: e.Random, Log: e.Log, Trace: e.Trace, PublicURL: publicURL, AssetURL: files.URL, Key: key,
		Mailer: mailer, Messages: quota.New(quota.Options{Now: e.Now, Window: exports.MessageWindow, Source: st.Quotas(), Log: e.Log}),
		Formats: format.All(e.Now, "", fonts), Alone: !st.DB.Shared(), // the data folder is locked
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
