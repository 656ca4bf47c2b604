-- +goose Up
-- What the last import brought to a page, by which the next one tells what was changed
-- since. The text is that of a revision of the page, or stands here where none has it.
CREATE TABLE page_imports (
  page_id  TEXT PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  content  BLOB,
  members  TEXT NOT NULL -- a JSON object: the rest, as the import says it
) STRICT, WITHOUT ROWID;
