-- Whether another transaction may have used the nonce of a call when its relay
-- had reverted or expired. Anyone can make a signed call.
alter table relays add column nonce_used boolean not null default false;
