-- +goose Up
-- The assets that the site for readers shows on every page, such as its logo.
CREATE TABLE site_assets (
  asset_id TEXT COLLATE "C" PRIMARY KEY
);

-- Under which paths of files published pages were found before.
CREATE TABLE former_paths (
  path_key TEXT COLLATE "C" NOT NULL,
  page_id  TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  PRIMARY KEY (path_key, page_id)
);
CREATE INDEX former_paths_page ON former_paths (page_id);
