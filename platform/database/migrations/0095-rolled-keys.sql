-- When a key that was replaced ends. The version before this one ignores it, so
-- such keys stay valid until all instances are upgraded.
alter table access_keys add column ends_at timestamptz;
alter table secrets add column ends_at timestamptz;
