-- The span of the request that a relay was accepted in, as a `traceparent`
-- header. Null if the request was not traced.
alter table relays add column traceparent text;
