-- Adds the version and rotation time of each project's webhook secret.
alter table projects
  add column webhook_secret_version integer not null default 1,
  add column webhook_secret_rotated_at timestamptz;
