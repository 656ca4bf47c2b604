-- +goose Up
-- Files that were uploaded for a proposal and are no assets until it is merged. Apart
-- from assets, so that nothing which reads those can show them.
CREATE TABLE pending_assets (
  id           TEXT PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,
  hash         TEXT NOT NULL REFERENCES blobs (hash), -- whose uses count this one too
  content_type TEXT NOT NULL,
  media_type   TEXT NOT NULL,
  kind         TEXT NOT NULL,
  name         TEXT NOT NULL,
  width        INTEGER NOT NULL,
  height       INTEGER NOT NULL,
  metadata     TEXT NOT NULL,
  source       TEXT NOT NULL, -- always ''
  version      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  uploader_id  TEXT NOT NULL,
  used_at      INTEGER NOT NULL -- when it was uploaded, or a change last began or ceased to name it
) STRICT;

CREATE INDEX pending_assets_hash ON pending_assets (hash);
CREATE INDEX pending_assets_uploader ON pending_assets (uploader_id, id);
CREATE INDEX pending_assets_used ON pending_assets (used_at);

-- Which of them the text or the front matter of a change names.
CREATE TABLE proposal_files (
  asset_id  TEXT NOT NULL REFERENCES pending_assets (id) ON DELETE CASCADE,
  change_id TEXT NOT NULL REFERENCES proposal_changes (id) ON DELETE CASCADE,
  PRIMARY KEY (asset_id, change_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposal_files_change ON proposal_files (change_id);
