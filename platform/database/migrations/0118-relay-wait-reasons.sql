-- The last reason for which a relay had to wait, other than for its receipt.
-- Operators find it here after the relay has expired.
alter table relays add column wait_reason text;
