import { type Migration, sql } from "kysely";

/**
 * What chains have answered, for all instances, and when a follower was last at
 * the end of its chain. The answers are not logged: after a crash of the
 * database the chain is asked again.
 */
export const sharedAnswers: Migration = {
  up: async (database) => {
    await sql`
      create unlogged table chain_answers (
        chain_id bigint not null,
        contract text not null,
        question text not null,
        answer text,
        block_hash text not null,
        wanted_at timestamptz not null default now(),
        primary key (chain_id, contract, question)
      ) with (fillfactor = 50)`.execute(database);
    await sql`
      create index on chain_answers (chain_id, wanted_at)`.execute(database);
    await sql`
      alter table followed_chains add column current_at timestamptz
    `.execute(database);
  },
};
