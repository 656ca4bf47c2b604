-- +goose Up
CREATE TABLE idempotency (
  owner      TEXT COLLATE "C" NOT NULL,
  key        TEXT COLLATE "C" NOT NULL,
  hash       BYTEA NOT NULL,
  status     BIGINT NOT NULL,
  header     TEXT COLLATE "C" NOT NULL, -- a JSON object
  body       BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (owner, key)
);

CREATE INDEX idempotency_created ON idempotency (created_at);

CREATE TABLE api_keys (
  id             TEXT COLLATE "C" PRIMARY KEY,
  hash           BYTEA NOT NULL UNIQUE,
  name           TEXT COLLATE "C" NOT NULL,
  kind           TEXT COLLATE "C" NOT NULL,
  scopes         BIGINT NOT NULL,
  published_only BOOLEAN NOT NULL,
  tags           TEXT COLLATE "C" NOT NULL, -- a JSON array
  created_at     BIGINT NOT NULL,
  expires_at     BIGINT,
  revoked_at     BIGINT,
  last_used_at   BIGINT
);

CREATE TABLE secrets (
  name       TEXT COLLATE "C" PRIMARY KEY,
  value      BYTEA NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE settings (
  name  TEXT COLLATE "C" PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL
);
