-- Why a call failed, and the trace that shows what it did.
alter table logged_calls add column cause text, add column trace_id text;
