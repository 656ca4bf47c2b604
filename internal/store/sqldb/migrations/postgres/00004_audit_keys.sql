-- +goose Up
-- The audit log is append only: nothing is changed, and nothing is removed but
-- what was recorded with an end.
CREATE TABLE audit (
  id         TEXT COLLATE "C" PRIMARY KEY,
  created_at BIGINT NOT NULL,
  action     TEXT COLLATE "C" NOT NULL,
  actor_id   TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  subject    TEXT COLLATE "C" NOT NULL,
  address    TEXT COLLATE "C" NOT NULL,
  trace_id   TEXT COLLATE "C" NOT NULL,
  detail     TEXT COLLATE "C" NOT NULL, -- a JSON object or ''
  expires_at BIGINT -- when it may be removed; NULL for never
);

CREATE INDEX audit_created ON audit (created_at, id);
CREATE INDEX audit_action ON audit (action, created_at, id);
CREATE INDEX audit_actor ON audit (actor_id, created_at, id);
CREATE INDEX audit_expires ON audit (expires_at) WHERE expires_at IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION audit_refuse() RETURNS trigger AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append only';
END;
$$ LANGUAGE plpgsql;
-- +goose StatementEnd

CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
  FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
  FOR EACH ROW WHEN (old.expires_at IS NULL) EXECUTE FUNCTION audit_refuse();

ALTER TABLE api_keys ADD COLUMN rate_limit BIGINT NOT NULL DEFAULT 0; -- requests per window; 0 is the installation's
ALTER TABLE api_keys ADD COLUMN rotated_at BIGINT;

-- Secrets that a rotation has replaced and that are accepted a while longer.
CREATE TABLE api_key_formers (
  hash   BYTEA PRIMARY KEY,
  key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  until  BIGINT NOT NULL
);

CREATE INDEX api_key_formers_key ON api_key_formers (key_id);
