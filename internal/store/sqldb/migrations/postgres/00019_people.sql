-- +goose Up
-- A person who was invited and has not signed in yet.
ALTER TABLE users ADD COLUMN invited BOOLEAN NOT NULL DEFAULT FALSE;

-- Whose password the link sets; NULL adds the first person.
ALTER TABLE setup_links ADD COLUMN user_id TEXT COLLATE "C" REFERENCES users (id) ON DELETE CASCADE;
CREATE INDEX setup_links_user ON setup_links (user_id);

-- What a person wrote, so that their name can be replaced in it.
CREATE INDEX revisions_person ON revisions (author_id) WHERE substr(author_id, 1, 4) = 'usr_';
CREATE INDEX changes_person ON changes (actor_id) WHERE substr(actor_id, 1, 4) = 'usr_';
