-- The version before does not use this cache, and neither does this one.
drop table chain_answers;
