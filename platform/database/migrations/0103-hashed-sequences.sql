-- Sequences are long, and only compared, so an index of their hashes is enough.
create index on jobs using hash (sequence)
  where dead_at is null and sequence is not null;
drop index jobs_queue_sequence_id_idx;
