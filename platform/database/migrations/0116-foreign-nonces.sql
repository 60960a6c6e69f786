-- How many nonces the platform has not signed, so that the next check does not hide
-- them.
alter table relay_account_checks
  add column foreign_nonces bigint not null default 0;
