-- +goose Up
-- Times are Unix milliseconds. '' stands for "none" where a text may be absent.

CREATE TABLE pages (
  id           TEXT COLLATE "C" PRIMARY KEY,
  slug         TEXT COLLATE "C" NOT NULL,
  title        TEXT COLLATE "C" NOT NULL,
  status       TEXT COLLATE "C" NOT NULL,
  parent_id    TEXT COLLATE "C" REFERENCES pages (id) ON DELETE SET NULL,
  position     BIGINT,
  version      BIGINT NOT NULL,
  revision     BIGINT NOT NULL,
  was_public   BOOLEAN NOT NULL, -- is or once was published
  created_at   BIGINT NOT NULL,
  updated_at   BIGINT NOT NULL,
  deleted_at   BIGINT,
  publish_at   BIGINT,
  unpublish_at BIGINT,
  path         TEXT COLLATE "C" NOT NULL,    -- of the imported file
  path_key     TEXT COLLATE "C" NOT NULL,    -- derived: under which links by path find the page
  frontmatter  TEXT COLLATE "C" NOT NULL,
  links        TEXT COLLATE "C" NOT NULL     -- derived: a JSON array
);

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
  page_id     TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  number      BIGINT NOT NULL,
  title       TEXT COLLATE "C" NOT NULL,
  slug        TEXT COLLATE "C" NOT NULL,
  author_id   TEXT COLLATE "C" NOT NULL,
  author_name TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL,
  public      BOOLEAN NOT NULL, -- was the page's while the page was published
  frontmatter TEXT COLLATE "C" NOT NULL,
  raw_front   BYTEA,
  content     BYTEA NOT NULL,
  PRIMARY KEY (page_id, number)
);

CREATE TABLE slugs (
  slug    TEXT COLLATE "C" PRIMARY KEY,
  page_id TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  state   TEXT COLLATE "C" NOT NULL -- current, former, or released by the deletion of its page
);

CREATE INDEX slugs_page ON slugs (page_id);

CREATE TABLE page_links (
  page_id     TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  link        BIGINT NOT NULL,
  rank        BIGINT NOT NULL,
  target_id   TEXT COLLATE "C" NOT NULL,
  target_path TEXT COLLATE "C" NOT NULL,
  target_slug TEXT COLLATE "C" NOT NULL,
  label       TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (page_id, link, rank)
);

CREATE INDEX page_links_id ON page_links (target_id) WHERE target_id <> '';
CREATE INDEX page_links_path ON page_links (target_path) WHERE target_path <> '';
CREATE INDEX page_links_slug ON page_links (target_slug) WHERE target_slug <> '';

CREATE TABLE page_tags (
  tag     TEXT COLLATE "C" NOT NULL,
  page_id TEXT COLLATE "C" NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, page_id)
);

CREATE INDEX page_tags_page ON page_tags (page_id);

-- Followers read by position: sequence numbers commit out of order, so a row
-- gets its position only after its commit, from the counter in one row.
CREATE TABLE changes (
  seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  position   BIGINT UNIQUE,
  event_id   TEXT COLLATE "C" NOT NULL UNIQUE,
  time       BIGINT NOT NULL,
  kind       TEXT COLLATE "C" NOT NULL,
  subject    TEXT COLLATE "C" NOT NULL,
  version    BIGINT NOT NULL,
  actor_id   TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C" NOT NULL,
  trace_id   TEXT COLLATE "C" NOT NULL,
  public     BOOLEAN NOT NULL,
  payload    TEXT COLLATE "C" NOT NULL
);

CREATE INDEX changes_unplaced ON changes (seq) WHERE position IS NULL;
CREATE INDEX changes_subject ON changes (subject);

CREATE TABLE change_position (
  last BIGINT NOT NULL
);

INSERT INTO change_position (last) VALUES (0);

CREATE TABLE callbacks (
  page_id    TEXT COLLATE "C" PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  url        TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  event_id   TEXT COLLATE "C" -- of the first publication
);

CREATE INDEX callbacks_event ON callbacks (event_id) WHERE event_id IS NOT NULL;
