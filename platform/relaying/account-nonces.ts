import { type Kysely, sql, type Transaction } from "kysely";
import type { LocalAccount } from "viem";

import type { Tables } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import { readChain } from "../network/read-chain.js";
import { readPrice } from "./price.js";

/** An account that relays, on its network. */
export interface AccountPlace {
  readonly network: Network;
  readonly account: LocalAccount;
  /**
   * Whether the chain is one of our own, which forgets its last blocks when it is
   * killed.
   */
  readonly mayForget: boolean;
}

/**
 * The lowest nonce of the account that nothing has. Until the end of the
 * transaction nobody else gets one, of no instance.
 */
export async function takeNonce(
  transaction: Transaction<Tables>,
  place: AccountPlace,
): Promise<number> {
  await lockAccount(transaction, place);
  const { count, taken } = await readNonces(transaction, place);
  let nonce = count;
  while (taken.has(nonce)) nonce += 1;
  return nonce;
}

/**
 * Has a chain go on that has forgotten what came before the pending
 * transactions: one that does nothing takes the next nonce.
 */
export async function fillGap(
  database: Kysely<Tables>,
  place: AccountPlace,
): Promise<void> {
  const { account, network } = place;
  await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, place);
    const { count: nonce, taken } = await readNonces(transaction, place);
    if (taken.has(nonce)) return;
    await readChain(network, async (client) => {
      const { fields } = await readPrice(client);
      const serializedTransaction = await account.signTransaction({
        ...fields,
        ...{
          chainId: network.chainId,
          nonce,
          to: account.address,
          gas: 21_000n,
        },
      });
      return client.sendRawTransaction({ serializedTransaction });
    });
  });
}

async function lockAccount(
  transaction: Transaction<Tables>,
  { account: { address }, network: { chainId } }: AccountPlace,
): Promise<void> {
  const name = `relays of ${address} on ${chainId}`;
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(
    transaction,
  );
}

/** The next nonce as the chain tells, and those from there on that are given. */
async function readNonces(
  transaction: Transaction<Tables>,
  { account: { address }, mayForget, network }: AccountPlace,
): Promise<{ readonly count: number; readonly taken: ReadonlySet<number> }> {
  const read = await readChain(network, (client) =>
    client.getTransactionCount({ address }),
  );
  const count = read ?? 0;
  const rows = await transaction
    .selectFrom("relays")
    .select("account_nonce")
    .where("chain_id", "=", network.chainId)
    .where("account", "=", address.toLowerCase())
    .where("account_nonce", ">=", count)
    // A node of another chain that does not know those that are done is late.
    .$if(mayForget, (query) => query.where("state", "=", "pending"))
    .execute();
  return { count, taken: new Set(rows.map((row) => row.account_nonce)) };
}
