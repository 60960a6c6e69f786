import { type Kysely, sql } from "kysely";
import pg from "pg";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { relayQueue } from "../../services/relayer/relay-queue.js";
import type { Tables } from "../../database/schema.js";
import { deliveryQueue } from "../../services/indexer/index-blocks.js";

/** Values that the rows share with the queried data. */
export interface FilledPlace {
  readonly projectId: number;
  readonly audienceId: number;
  readonly chainId: number;
  /** The contract that issued the tokens. */
  readonly contract: string;
  /** The Seaport contract whose orders the platform follows. */
  readonly seaport: string;
}

/**
 * Returns the document of a token as the content of an SQL string, into which
 * the SQL expression `tokenId` is concatenated.
 */
const document = (tokenId: string, contract: string): string =>
  `{"tokenId":"' || ${tokenId} || '","contractAddress":"${contract}","name":"a","description":"","image":"","decimals":0,"properties":null,"attributes":null}`;

/**
 * Fills each table with rows, most of them for the given project, chain, and
 * contract.
 */
export async function fillTables(
  database: Kysely<Tables>,
  url: string,
  rows: number,
  place: FilledPlace,
): Promise<void> {
  // A separate connection does not have the platform's time limits.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Skip the foreign-key checks. The referenced rows exist, and the checks take
  // most of the time.
  await client.query("set session_replication_role = replica");
  await client.query("set synchronous_commit = off");
  const statements = statementsOf(rows, place);
  for (const statement of [...statements, sql`analyze`]) {
    const { parameters, sql: text } = statement.compile(database);
    await client.query(text, [...parameters]);
  }
  await client.end();
}

function statementsOf(rows: number, place: FilledPlace) {
  const { projectId: id, audienceId, chainId, contract, seaport } = place;
  const relayer = createFixtureAccounts().relayer.address.toLowerCase();
  const numbers = sql`generate_series(1, ${sql.lit(rows)}) as n`;
  // The platform keeps at most 100,000 finished jobs.
  const kept = sql`generate_series(1, ${sql.lit(Math.min(rows, 100_000))}) as n`;
  const address = sql`'0x' || lpad(to_hex(n), 40, '0')`;
  const hash = sql`sha256(n::text::bytea)`;
  const hex = sql`'0x' || encode(${hash}, 'hex')`;
  const earlier = sql`now() - n * interval '1 second'`;
  // The limits of sponsors add up the relays of a day.
  const minutesEarlier = sql`now() - n * interval '1 minute'`;
  const later = sql`now() + interval '1 hour'`;
  const token = sql.raw(`'${document("n", contract)}'`);
  return [
    sql`insert into projects (name) select n::text from ${numbers}`,
    sql`insert into access_keys (project_id, hash) select ${id}, ${hash} from ${numbers}`,
    sql`insert into secrets (id, project_id, hash, scopes, expires_at)
      select n::text, ${id}, ${hash}, '{read}', now() from ${numbers}`,
    sql`insert into audiences (project_id, name) select n + 10, n::text from ${numbers}`,
    sql`insert into audience_contacts (audience_id, contact_id)
      select ${audienceId}, n from ${numbers}`,
    sql`update audiences set contact_count = contact_count + ${rows}::int
      where id = ${audienceId}`,
    sql`insert into gas_sponsors
        (gas_tank_id, project_id, chain_id, address, name, active)
      select tank.id, project_id, chain_id, ${address}, '', true
      from gas_tanks as tank, ${numbers}`,
    sql`insert into gas_tank_fills (gas_tank_id, amount, created_at)
      select tank.id, n, ${earlier} from gas_tanks as tank, ${numbers}`,
    sql`insert into relays
        (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
        call_hash, data, gas, deadline, max_data_fee, max_cost, state, cost,
        is_final, settled_at)
      select ${id}, 1, tank.id, chain_id, ${address}, 0, ${hex}, '0x', 1, 1, 0, 1,
        'done', 1, true, ${minutesEarlier}
      from gas_tanks as tank, ${numbers}`,
    sql`insert into relay_transactions
        (hash, relay_id, chain_id, account, account_nonce, transaction)
      select ${hex}, n, ${chainId}, ${relayer}, -n, '0x' from ${numbers}`,
    sql`insert into webhook_listeners (project_id, chain_id, url, filters, deleted_at)
      select ${id}, ${chainId}, 'https://example.com', '{}', now() from ${numbers}`,
    sql`insert into followed_chains (follower, chain_id, next_number)
      select 'test', ${chainId}, ${rows}`,
    sql`insert into followed_blocks
        (follower, chain_id, hash, parent_hash, number, mined_at)
      select 'test', ${chainId}, ${hex}, '', n, now() from ${numbers}`,
    sql`insert into block_deliveries (follower, chain_id, block_hash, keys)
      select 'test', ${chainId}, ${hex}, '[]' from ${numbers}`,
    sql`insert into jobs (queue, key, lane, payload, due_at, run_at, dead_at)
      select ${deliveryQueue}, '1:' || n,
        case when n % 3 = 0 then (n % 1000)::text else ${id}::text end, 'null',
        ${later}, ${later}, case when n % 3 = 1 then now() end
      from ${numbers}`,
    sql`insert into jobs (queue, key, payload, due_at, run_at, dead_at)
      select ${relayQueue}, n::text, 'null', ${later}, ${later},
        case when n % 2 = 0 then now() end
      from ${numbers}`,
    sql`insert into done_jobs (id, queue, key, lane, payload, attempts, history, created_at)
      select -n, ${deliveryQueue}, '1:' || n, ${id}::text, '{}', 1, '[]', now() from ${kept}`,
    sql`insert into contract_info
        (chain_id, contract, decimals, document, outcome, read_number)
      select ${chainId}, ${address}, 0, '{}', 'found', 1 from ${numbers}`,
    sql`insert into token_metadata
        (chain_id, contract, token_id, document, outcome, read_number)
      select ${chainId}, ${contract}, n::text, ${token}, 'found', 1 from ${numbers}`,
    sql`insert into metadata_refreshes
        (project_id, chain_id, contract, status, updated_at)
      select ${id}, ${chainId}, ${contract}, 'COMPLETED', now() from ${numbers}`,
    sql`insert into metadata_refresh_tokens (refresh_id, token_id)
      select n, n::text from ${numbers}`,
    sql`insert into linked_wallets (wallet_address, linked_wallet_address)
      select ${address}, ${address} from ${numbers}`,
    sql`insert into marketplace_collections (chain_id, address)
      select ${chainId}, ${address} from ${numbers}`,
    sql`insert into marketplace_collectibles (collection_id, token_id)
      select id, 7 from marketplace_collections`,
    sql`insert into marketplace_orders
        (chain_id, contract, order_hash, collection_id, side, maker, currency,
        quantity, data, ends_at, block_number, log_index, mined_at)
      select ${chainId}, ${seaport}, ${hex}, n + 10, 'offer', ${address}, '0x', 1,
        '0x', ${later}, 0, n, now() from ${numbers}`,
    sql`insert into marketplace_changes
        (chain_id, contract, block_number, log_index, kind, maker, mined_at)
      select ${chainId}, ${seaport}, 0, n, 'all-cancelled', ${address}, now()
      from ${numbers}`,
    sql`insert into operator_sessions (hash, operator, expires_at)
      select ${hash}, 'somebody', ${later} from ${numbers}`,
    sql`insert into operator_actions (operator, method, project_id, details)
      select 'somebody', 'FillGasTank', ${id}, '{}' from ${numbers}`,
    sql`insert into project_calls
        (project_id, day, service, method, calls, failures)
      select n + 10, current_date, 'API', 'GetSwapPrice', 1, 0 from ${numbers}`,
    sql`insert into logged_calls (project_id, request_id, service, method,
        network, status, invalid_fields, duration_ms, created_at)
      select 500 + n % 500, n::text, 'API', 'GetSwapPrice', 'polygon', 200, '{}',
        1, now() from ${numbers}`,
    sql`insert into rate_limits (bucket, granted, asked_at, full_at)
      select n::text, 1, now(), ${later} from ${numbers}`,
  ];
}
