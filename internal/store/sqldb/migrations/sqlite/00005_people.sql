-- +goose Up
-- What is secret is here as its SHA-256, but for passwords.

CREATE TABLE users (
  id          TEXT PRIMARY KEY,
  email       TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  role        TEXT NOT NULL,
  password    TEXT NOT NULL,   -- argon2id in PHC form; '' lets nobody in
  created_at  INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;

CREATE TABLE sessions (
  id         TEXT PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  agent      TEXT NOT NULL,    -- what the browser calls itself
  address    TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires_at);

CREATE TABLE clients (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  secret        BLOB,             -- a public client has none
  redirect_uris TEXT NOT NULL,    -- a JSON array
  scopes        INTEGER NOT NULL, -- what it may do by itself
  created_at    INTEGER NOT NULL
) STRICT;

-- The client that is octavo login.
INSERT INTO clients (id, name, redirect_uris, scopes, created_at)
  VALUES ('cli_octavo', 'Octavo on the command line', '["http://127.0.0.1/callback","http://[::1]/callback"]', 0, 0);

-- One row is one consent and all that follows from it: a code, then a family
-- of refresh tokens.
CREATE TABLE grants (
  id               TEXT PRIMARY KEY,
  user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id        TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  scope            TEXT NOT NULL,
  redirect_uri     TEXT NOT NULL,
  challenge        TEXT NOT NULL,    -- of PKCE, by S256
  nonce            TEXT NOT NULL,
  authenticated_at INTEGER NOT NULL,
  code             BLOB NOT NULL UNIQUE,
  redeemed_at      INTEGER,          -- when the code was used
  family           BLOB UNIQUE,      -- what all its refresh tokens share
  token            BLOB,             -- what is the newest one's own
  created_at       INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL, -- of the code, later of the newest token
  ended_at         INTEGER
) STRICT;

CREATE INDEX grants_user ON grants (user_id, client_id);
CREATE INDEX grants_client ON grants (client_id);
CREATE INDEX grants_expires ON grants (expires_at);

-- Access tokens that are refused although they have not expired.
CREATE TABLE revocations (
  id         TEXT PRIMARY KEY,  -- of a token, or of the grant, person or client that it comes from
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setup_links (
  hash       BLOB PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
