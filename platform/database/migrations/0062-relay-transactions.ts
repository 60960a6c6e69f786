import { type Migration, sql } from "kysely";
import { decodeFunctionData, type Hex, parseAbi, parseTransaction } from "viem";

const walletAbi = parseAbi([
  "function executeSigned(address to, uint256 value, bytes data, uint256 nonce, uint256 deadline, bytes signature)",
]);

/**
 * Moves transactions signed for relays to their own table. A relay starts with
 * no transaction, and gets another each time one is replaced.
 */
export const relayTransactions: Migration = {
  up: async (database) => {
    await moveTransactions.execute(database);
    const { rows } = await sql<{ id: number; transaction: Hex }>`
      select id, transaction from relays where state = 'pending'
    `.execute(database);
    for (const { id, transaction } of rows) {
      const { data = "0x", gas = 0n } = parseTransaction(transaction);
      const { args } = decodeFunctionData({ abi: walletAbi, data });
      await sql`
        update relays
        set data = ${data}, gas = ${gas.toString()}, deadline = ${args[4].toString()}
        where id = ${id}`.execute(database);
    }
    await reshapeRelays.execute(database);
  },
};

const moveTransactions = sql`
  create table relay_transactions (
    hash text primary key,
    relay_id bigint not null references relays,
    chain_id bigint not null,
    account text not null,
    account_nonce bigint not null,
    transaction text not null,
    created_at timestamptz not null default now()
  );
  create index on relay_transactions (chain_id, account, account_nonce);
  create index on relay_transactions (relay_id);

  insert into relay_transactions
  select transaction_hash, id, chain_id, account, account_nonce,
    transaction, created_at
  from relays;

  alter table relays
    add column data text not null default '0x',
    add column gas numeric(78) not null default 0,
    add column deadline numeric(78) not null default 0,
    add column max_data_fee numeric(78) not null default 0,
    add column block_number bigint,
    add column is_final boolean not null default false;`;

const reshapeRelays = sql`
  update relays set is_final = true where state <> 'pending';

  -- Dropping the columns also drops their indexes.
  alter table relays
    drop column account, drop column account_nonce, drop column transaction,
    alter column data drop default,
    alter column gas drop default,
    alter column deadline drop default,
    alter column max_data_fee drop default,
    alter column transaction_hash drop not null,
    drop constraint relays_transaction_hash_key,
    drop constraint relays_state_check,
    drop constraint relays_check,
    drop constraint relays_check1,
    drop constraint relays_check2;

  update relays set cost = coalesce(cost, 0) + coalesce(data_fee, 0);

  alter table relays
    drop column data_fee,
    alter column cost set default 0,
    alter column cost set not null,
    add check (state in ('pending', 'done', 'reverted', 'expired')),
    add check ((state = 'pending') = (settled_at is null));

  -- If a reorganization undoes a relay, a later relay can have the same nonce.
  drop index relays_chain_id_wallet_wallet_nonce_idx;
  create index on relays (chain_id, created_at) where state = 'pending';`;
