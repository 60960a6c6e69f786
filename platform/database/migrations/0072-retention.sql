-- Indexes for finding old rows.
create index on webhook_listeners (deleted_at) where deleted_at is not null;
create index on jobs (dead_at) where dead_at is not null;
create index on metadata_refreshes (updated_at);
create index on token_metadata (saved_at);
create index on contract_info (saved_at);
