-- Find documents that were not found, which are kept for an hour.
create index on token_metadata (saved_at) where outcome <> 'found';
create index on contract_info (saved_at) where outcome <> 'found';
