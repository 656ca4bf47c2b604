-- +goose Up
-- The audit log is append only: nothing is changed, and nothing is removed but
-- what was recorded with an end.
CREATE TABLE audit (
  id         TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  action     TEXT NOT NULL,
  actor_id   TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  subject    TEXT NOT NULL,
  address    TEXT NOT NULL,
  trace_id   TEXT NOT NULL,
  detail     TEXT NOT NULL, -- a JSON object or ''
  expires_at INTEGER -- when it may be removed; NULL for never
) STRICT;

CREATE INDEX audit_created ON audit (created_at, id);
CREATE INDEX audit_action ON audit (action, created_at, id);
CREATE INDEX audit_actor ON audit (actor_id, created_at, id);
CREATE INDEX audit_expires ON audit (expires_at) WHERE expires_at IS NOT NULL;

-- +goose StatementBegin
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log is append only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit WHEN old.expires_at IS NULL BEGIN
  SELECT RAISE(ABORT, 'the audit log is append only');
END;
-- +goose StatementEnd

ALTER TABLE api_keys ADD COLUMN rate_limit INTEGER NOT NULL DEFAULT 0; -- requests per window; 0 is the installation's
ALTER TABLE api_keys ADD COLUMN rotated_at INTEGER;

-- Secrets that a rotation has replaced and that are accepted a while longer.
CREATE TABLE api_key_formers (
  hash   BLOB PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  until  INTEGER NOT NULL
) STRICT;

CREATE INDEX api_key_formers_key ON api_key_formers (key_id);
