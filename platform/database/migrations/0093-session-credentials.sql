-- A hash of the password with which a session was started, so that a changed
-- password ends it.
alter table operator_sessions add column credential bytea;
