-- +goose Up
-- The kind of Markdown that the page is written in; '' is none.
ALTER TABLE pages ADD COLUMN dialect TEXT COLLATE "C" NOT NULL DEFAULT '';
