-- +goose Up
-- Times are Unix milliseconds. '' stands for "none" where a text may be absent.

CREATE TABLE pages (
  id           TEXT PRIMARY KEY,
  slug         TEXT NOT NULL,
  title        TEXT NOT NULL,
  status       TEXT NOT NULL,
  parent_id    TEXT REFERENCES pages (id) ON DELETE SET NULL,
  position     INTEGER,
  version      INTEGER NOT NULL,
  revision     INTEGER NOT NULL,
  was_public   INTEGER NOT NULL, -- is or once was published
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  deleted_at   INTEGER,
  publish_at   INTEGER,
  unpublish_at INTEGER,
  path         TEXT NOT NULL,    -- of the imported file
  path_key     TEXT NOT NULL,    -- derived: under which links by path find the page
  frontmatter  TEXT NOT NULL,
  links        TEXT NOT NULL     -- derived: a JSON array
) STRICT;

CREATE INDEX pages_status ON pages (status, id);
CREATE INDEX pages_status_updated ON pages (status, updated_at, id);
CREATE INDEX pages_status_title ON pages (status, title, id);
CREATE INDEX pages_parent ON pages (parent_id, id);
CREATE INDEX pages_updated ON pages (updated_at, id);
CREATE INDEX pages_title ON pages (title, id);
CREATE INDEX pages_path_key ON pages (path_key, id) WHERE path_key <> '';
CREATE INDEX pages_deleted ON pages (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX pages_publish ON pages (publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX pages_unpublish ON pages (unpublish_at) WHERE unpublish_at IS NOT NULL;

CREATE TABLE revisions (
  page_id     TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  number      INTEGER NOT NULL,
  title       TEXT NOT NULL,
  slug        TEXT NOT NULL,
  author_id   TEXT NOT NULL,
  author_name TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  public      INTEGER NOT NULL, -- was the page's while the page was published
  frontmatter TEXT NOT NULL,
  raw_front   BLOB,
  content     BLOB NOT NULL,
  PRIMARY KEY (page_id, number)
) STRICT;

CREATE TABLE slugs (
  slug    TEXT PRIMARY KEY,
  page_id TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  state   TEXT NOT NULL -- current, former, or released by the deletion of its page
) STRICT, WITHOUT ROWID;

CREATE INDEX slugs_page ON slugs (page_id);

CREATE TABLE page_links (
  page_id     TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  link        INTEGER NOT NULL,
  rank        INTEGER NOT NULL,
  target_id   TEXT NOT NULL,
  target_path TEXT NOT NULL,
  target_slug TEXT NOT NULL,
  label       TEXT NOT NULL,
  PRIMARY KEY (page_id, link, rank)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_links_id ON page_links (target_id) WHERE target_id <> '';
CREATE INDEX page_links_path ON page_links (target_path) WHERE target_path <> '';
CREATE INDEX page_links_slug ON page_links (target_slug) WHERE target_slug <> '';

CREATE TABLE page_tags (
  tag     TEXT NOT NULL,
  page_id TEXT NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, page_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_tags_page ON page_tags (page_id);

-- Followers read by seq: SQLite commits in the order of seq.
CREATE TABLE changes (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id   TEXT NOT NULL UNIQUE,
  time       INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  subject    TEXT NOT NULL,
  version    INTEGER NOT NULL,
  actor_id   TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  trace_id   TEXT NOT NULL,
  public     INTEGER NOT NULL,
  payload    TEXT NOT NULL
) STRICT;

CREATE INDEX changes_subject ON changes (subject);

CREATE TABLE callbacks (
  page_id    TEXT PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  url        TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  event_id   TEXT -- of the first publication
) STRICT, WITHOUT ROWID;

CREATE INDEX callbacks_event ON callbacks (event_id) WHERE event_id IS NOT NULL;
