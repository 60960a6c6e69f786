-- Why a listener that caused too much work receives no more events.
alter table webhook_listeners add column set_aside_reason text;
