-- +goose Up
-- When a person may be mailed again, and how many tries have failed since the last
-- success.
ALTER TABLE notifications_read ADD COLUMN mail_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE notifications_read ADD COLUMN mail_tries INTEGER NOT NULL DEFAULT 0;
