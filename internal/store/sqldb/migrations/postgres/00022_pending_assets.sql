-- +goose Up
-- Files that were uploaded for a proposal and are no assets until it is merged. Apart
-- from assets, so that nothing which reads those can show them.
CREATE TABLE pending_assets (
  id           TEXT COLLATE "C" PRIMARY KEY,
  key          TEXT COLLATE "C" NOT NULL UNIQUE,
  hash         TEXT COLLATE "C" NOT NULL REFERENCES blobs (hash), -- whose uses count this one too
  content_type TEXT COLLATE "C" NOT NULL,
  media_type   TEXT COLLATE "C" NOT NULL,
  kind         TEXT COLLATE "C" NOT NULL,
  name         TEXT COLLATE "C" NOT NULL,
  width        BIGINT NOT NULL,
  height       BIGINT NOT NULL,
  metadata     TEXT COLLATE "C" NOT NULL,
  source       TEXT COLLATE "C" NOT NULL, -- always ''
  version      BIGINT NOT NULL,
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL,
  uploader_id  TEXT COLLATE "C" NOT NULL,
  used_at      BIGINT NOT NULL -- when it was uploaded, or a change last began or ceased to name it
);

CREATE INDEX pending_assets_hash ON pending_assets (hash);
CREATE INDEX pending_assets_uploader ON pending_assets (uploader_id, id);
CREATE INDEX pending_assets_used ON pending_assets (used_at);

-- Which of them the text or the front matter of a change names.
CREATE TABLE proposal_files (
  asset_id  TEXT COLLATE "C" NOT NULL REFERENCES pending_assets (id) ON DELETE CASCADE,
  change_id TEXT COLLATE "C" NOT NULL REFERENCES proposal_changes (id) ON DELETE CASCADE,
  PRIMARY KEY (asset_id, change_id)
);

CREATE INDEX proposal_files_change ON proposal_files (change_id);
