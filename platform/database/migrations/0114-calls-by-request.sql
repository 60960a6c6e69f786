-- Operators look up calls by request ID without knowing the project.
create index on logged_calls (request_id);
