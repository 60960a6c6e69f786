-- An index of a tank's payments by time, without relays that cost nothing.
create index on relays (gas_tank_id, (coalesce(settled_at, created_at)))
  where cost > 0;
drop index relays_gas_tank_id_settled_at_idx;
