-- Finds the chains that have listeners.
create index on webhook_listeners (chain_id)
  where active and deleted_at is null;
