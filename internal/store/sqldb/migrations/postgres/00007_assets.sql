-- +goose Up
-- Bytes that assets have, once for all equal ones.
CREATE TABLE blobs (
  hash TEXT COLLATE "C" PRIMARY KEY,     -- SHA-256 in hexadecimal
  key  TEXT COLLATE "C" NOT NULL UNIQUE, -- under which the bytes lie
  size BIGINT NOT NULL,
  uses BIGINT NOT NULL      -- assets that have them
);

CREATE TABLE assets (
  id           TEXT COLLATE "C" PRIMARY KEY,
  key          TEXT COLLATE "C" NOT NULL UNIQUE, -- the part of the address that cannot be guessed
  hash         TEXT COLLATE "C" NOT NULL REFERENCES blobs (hash),
  content_type TEXT COLLATE "C" NOT NULL,
  media_type   TEXT COLLATE "C" NOT NULL, -- of content_type, without parameters
  kind         TEXT COLLATE "C" NOT NULL, -- of media_type, up to the slash
  name         TEXT COLLATE "C" NOT NULL,
  width        BIGINT NOT NULL,
  height       BIGINT NOT NULL,
  metadata     TEXT COLLATE "C" NOT NULL, -- a JSON object
  source       TEXT COLLATE "C" NOT NULL, -- path of the imported file
  version      BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL
);

CREATE INDEX assets_hash ON assets (hash);
CREATE INDEX assets_media_type ON assets (media_type, id);
CREATE INDEX assets_kind ON assets (kind, id);

CREATE TABLE asset_tags (
  tag      TEXT COLLATE "C" NOT NULL,
  asset_id TEXT COLLATE "C" NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, asset_id)
);

CREATE INDEX asset_tags_asset ON asset_tags (asset_id);

-- How pages name assets: the key with a slash in front, or the path of an
-- imported file, which leads to the asset that was imported from it last.
CREATE TABLE asset_targets (
  target   TEXT COLLATE "C" PRIMARY KEY,
  asset_id TEXT COLLATE "C" NOT NULL REFERENCES assets (id) ON DELETE CASCADE
);

CREATE INDEX asset_targets_asset ON asset_targets (asset_id);

-- What pages may mean by what they show and link to.
CREATE TABLE page_assets (
  page_id TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  href    TEXT COLLATE "C" NOT NULL, -- as the page has it
  target  TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (page_id, href, target)
);

CREATE INDEX page_assets_target ON page_assets (target, page_id);
