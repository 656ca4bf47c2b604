-- +goose Up
-- The least schema version that a program has to know so that it can work on
-- this schema, in one row. A migration that takes something away raises it to
-- that of the version from which on nothing uses it any more.
CREATE TABLE schema_floor (
  version INTEGER NOT NULL
) STRICT;

INSERT INTO schema_floor (version) VALUES (12);
