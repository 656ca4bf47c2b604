-- +goose Up
-- The set of files that an imported page belongs to; paths of files are of it.
ALTER TABLE pages ADD COLUMN import_set TEXT NOT NULL DEFAULT '';
