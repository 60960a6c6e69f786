-- Signatures of orders that operators submitted. There is no log of these
-- orders on the chain.
alter table marketplace_orders add column signature text;
