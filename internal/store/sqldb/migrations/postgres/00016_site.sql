-- +goose Up
-- The assets that the site for readers shows on every page, such as its logo.
CREATE TABLE site_assets (
  asset_id TEXT PRIMARY KEY
);

-- Under which paths of files published pages were found before.
CREATE TABLE former_paths (
  path_key TEXT NOT NULL,
  page_id  TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  PRIMARY KEY (path_key, page_id)
);
CREATE INDEX former_paths_page ON former_paths (page_id);
