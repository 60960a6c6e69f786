-- Limits links of contract wallets to a chain, because the same address can
-- have a different owner on another chain.
alter table linked_wallets
  add column chain_id bigint,
  drop constraint linked_wallets_wallet_address_linked_wallet_address_key,
  add unique nulls not distinct
    (wallet_address, chain_id, linked_wallet_address);
