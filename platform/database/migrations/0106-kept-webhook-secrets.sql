-- The oldest version of a webhook secret that still signs after a rotation.
alter table projects add column webhook_secret_kept_version integer;
