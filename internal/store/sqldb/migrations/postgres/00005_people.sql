-- +goose Up
-- What is secret is here as its SHA-256, but for passwords.

CREATE TABLE users (
  id          TEXT COLLATE "C" PRIMARY KEY,
  email       TEXT COLLATE "C" NOT NULL UNIQUE,
  name        TEXT COLLATE "C" NOT NULL,
  role        TEXT COLLATE "C" NOT NULL,
  password    TEXT COLLATE "C" NOT NULL,   -- argon2id in PHC form; '' lets nobody in
  created_at  BIGINT NOT NULL,
  disabled_at BIGINT
);

CREATE TABLE sessions (
  id         TEXT COLLATE "C" PRIMARY KEY,
  hash       BYTEA NOT NULL UNIQUE,
  user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  agent      TEXT COLLATE "C" NOT NULL,    -- what the browser calls itself
  address    TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  seen_at    BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires_at);

CREATE TABLE clients (
  id            TEXT COLLATE "C" PRIMARY KEY,
  name          TEXT COLLATE "C" NOT NULL,
  secret        BYTEA,             -- a public client has none
  redirect_uris TEXT COLLATE "C" NOT NULL,    -- a JSON array
  scopes        BIGINT NOT NULL, -- what it may do by itself
  created_at    BIGINT NOT NULL
);

-- The client that is octavo login.
INSERT INTO clients (id, name, redirect_uris, scopes, created_at)
  VALUES ('cli_octavo', 'Octavo on the command line', '["http://127.0.0.1/callback","http://[::1]/callback"]', 0, 0);

-- One row is one consent and all that follows from it: a code, then a family
-- of refresh tokens.
CREATE TABLE grants (
  id               TEXT COLLATE "C" PRIMARY KEY,
  user_id          TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id        TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
  scope            TEXT COLLATE "C" NOT NULL,
  redirect_uri     TEXT COLLATE "C" NOT NULL,
  challenge        TEXT COLLATE "C" NOT NULL,    -- of PKCE, by S256
  nonce            TEXT COLLATE "C" NOT NULL,
  authenticated_at BIGINT NOT NULL,
  code             BYTEA NOT NULL UNIQUE,
  redeemed_at      BIGINT,          -- when the code was used
  family           BYTEA UNIQUE,      -- what all its refresh tokens share
  token            BYTEA,             -- what is the newest one's own
  created_at       BIGINT NOT NULL,
  expires_at       BIGINT NOT NULL, -- of the code, later of the newest token
  ended_at         BIGINT
);

CREATE INDEX grants_user ON grants (user_id, client_id);
CREATE INDEX grants_client ON grants (client_id);
CREATE INDEX grants_expires ON grants (expires_at);

-- Access tokens that are refused although they have not expired.
CREATE TABLE revocations (
  id         TEXT COLLATE "C" PRIMARY KEY,  -- of a token, or of the grant, person or client that it comes from
  expires_at BIGINT NOT NULL
);

CREATE TABLE setup_links (
  hash       BYTEA PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
