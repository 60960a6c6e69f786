-- The ID of the request that a relay was accepted in, by which operators find a
-- relay that fails later. Null if an older version accepted it.
alter table relays add column request_id text;
create index on relays (request_id) where request_id is not null;
