-- A sponsor with a limit of 0 pays nothing.
alter table gas_sponsors
  drop constraint gas_sponsors_daily_limit_check,
  add constraint gas_sponsors_daily_limit_check check (daily_limit >= 0);
