-- What a sponsor pays at most in 24 hours. Null means no limit.
alter table gas_sponsors
  add column daily_limit numeric(78) check (daily_limit > 0);
create index on relays (gas_sponsor_id, created_at);
