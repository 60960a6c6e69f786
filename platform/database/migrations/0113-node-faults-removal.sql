-- No release has used this table, which identified nodes by position.
drop table node_faults;
