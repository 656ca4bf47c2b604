-- +goose Up
-- The assets that the site for readers shows on every page, such as its logo.
CREATE TABLE site_assets (
  asset_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
