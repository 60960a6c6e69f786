-- An index that lets retention find the notifications of deleted listeners.
create index on webhook_notifications (listener_id);
