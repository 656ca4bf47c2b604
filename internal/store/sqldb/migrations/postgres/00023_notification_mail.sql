-- +goose Up
-- When a person may be mailed again, and how many tries have failed since the last
-- success.
ALTER TABLE notifications_read ADD COLUMN mail_after BIGINT NOT NULL DEFAULT 0;
ALTER TABLE notifications_read ADD COLUMN mail_tries BIGINT NOT NULL DEFAULT 0;
