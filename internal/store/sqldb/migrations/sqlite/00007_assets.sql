-- +goose Up
-- Bytes that assets have, once for all equal ones.
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,     -- SHA-256 in hexadecimal
  key  TEXT NOT NULL UNIQUE, -- under which the bytes lie
  size INTEGER NOT NULL,
  uses INTEGER NOT NULL      -- assets that have them
) STRICT, WITHOUT ROWID;

CREATE TABLE assets (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE, -- the part of the address that cannot be guessed
  hash         TEXT NOT NULL REFERENCES blobs (hash),
  content_type TEXT NOT NULL,
  media_type   TEXT NOT NULL, -- of content_type, without parameters
  kind         TEXT NOT NULL, -- of media_type, up to the slash
  name         TEXT NOT NULL,
  width        INTEGER NOT NULL,
  height       INTEGER NOT NULL,
  metadata     TEXT NOT NULL, -- a JSON object
  source       TEXT NOT NULL, -- path of the imported file
  version      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX assets_hash ON assets (hash);
CREATE INDEX assets_media_type ON assets (media_type, id);
CREATE INDEX assets_kind ON assets (kind, id);

CREATE TABLE asset_tags (
  tag      TEXT NOT NULL,
  asset_id TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, asset_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX asset_tags_asset ON asset_tags (asset_id);

-- How pages name assets: the key with a slash in front, or the path of an
-- imported file, which leads to the asset that was imported from it last.
CREATE TABLE asset_targets (
  target   TEXT PRIMARY KEY,
  asset_id TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX asset_targets_asset ON asset_targets (asset_id);

-- What pages may mean by what they show and link to.
CREATE TABLE page_assets (
  page_id TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  href    TEXT NOT NULL, -- as the page has it
  target  TEXT NOT NULL,
  PRIMARY KEY (page_id, href, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_assets_target ON page_assets (target, page_id);
