-- +goose Up
-- Who looks at what right now. Rows end by themselves.
CREATE TABLE presence (
  subject     TEXT NOT NULL, -- a page or a proposal
  person_id   TEXT NOT NULL,
  person_name TEXT NOT NULL,
  since       INTEGER NOT NULL,
  until       INTEGER NOT NULL,
  PRIMARY KEY (person_id, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX presence_until ON presence (until);
