-- Corrections of tanks, and keys that make changes repeatable.
alter table gas_tank_fills
  add column reason text,
  add column idempotency_key text;
create unique index on gas_tank_fills (gas_tank_id, idempotency_key)
  where idempotency_key is not null;
