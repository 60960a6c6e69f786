-- The fees that rollups charge in addition to gas. They are not known until
-- there is a receipt, and they can exceed the reserved amount, so a tank's
-- balance can become negative.
alter table relays add column data_fee numeric(78) check (data_fee >= 0);
alter table gas_tanks drop constraint gas_tanks_balance_check;
