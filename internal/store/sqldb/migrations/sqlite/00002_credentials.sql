-- +goose Up
CREATE TABLE idempotency (
  owner      TEXT NOT NULL,
  key        TEXT NOT NULL,
  hash       BLOB NOT NULL,
  status     INTEGER NOT NULL,
  header     TEXT NOT NULL, -- a JSON object
  body       BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT;

CREATE INDEX idempotency_created ON idempotency (created_at);

CREATE TABLE api_keys (
  id             TEXT PRIMARY KEY,
  hash           BLOB NOT NULL UNIQUE,
  name           TEXT NOT NULL,
  kind           TEXT NOT NULL,
  scopes         INTEGER NOT NULL,
  published_only INTEGER NOT NULL,
  tags           TEXT NOT NULL, -- a JSON array
  created_at     INTEGER NOT NULL,
  expires_at     INTEGER,
  revoked_at     INTEGER,
  last_used_at   INTEGER
) STRICT;

CREATE TABLE secrets (
  name       TEXT PRIMARY KEY,
  value      BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
