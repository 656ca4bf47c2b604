-- +goose Up
-- Who looks at what right now. Rows end by themselves.
CREATE TABLE presence (
  subject     TEXT COLLATE "C" NOT NULL, -- a page or a proposal
  person_id   TEXT COLLATE "C" NOT NULL,
  person_name TEXT COLLATE "C" NOT NULL,
  since       BIGINT NOT NULL,
  until       BIGINT NOT NULL,
  PRIMARY KEY (person_id, subject)
);
CREATE INDEX presence_until ON presence (until);
