-- The forwarder that executes a relay's call on behalf of an account.
alter table relays add column forwarder text;
