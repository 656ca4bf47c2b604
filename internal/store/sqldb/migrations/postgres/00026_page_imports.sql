-- +goose Up
-- What the last import brought to a page, by which the next one tells what was changed
-- since. The text is that of a revision of the page, or stands here where none has it.
CREATE TABLE page_imports (
  page_id  TEXT COLLATE "C" PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  revision BIGINT NOT NULL,
  content  BYTEA,
  members  TEXT COLLATE "C" NOT NULL -- a JSON object: the rest, as the import says it
);
