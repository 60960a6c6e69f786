import { sql } from "kysely";

import type { Database, Row } from "../../database/schema.js";

/** A wallet to link to a parent wallet. */
export interface WalletLink {
  readonly walletAddress: string;
  readonly linkedWalletAddress: string;
  /**
   * The chain of the parent if it is a contract, or null if it is a plain
   * account.
   */
  readonly chainId: number | null;
  readonly walletType: string | null;
}

/**
 * Links wallets to their parents. Existing links stay unchanged.
 *
 * The caller must make sure that the owners of both wallets have agreed.
 */
export async function linkWallets(
  database: Database,
  links: readonly WalletLink[],
): Promise<readonly Row<"linked_wallets">[]> {
  if (links.length === 0) return [];
  return database
    .insertInto("linked_wallets")
    .values(
      links.map((link) => ({
        wallet_address: link.walletAddress.toLowerCase(),
        chain_id: link.chainId,
        linked_wallet_address: link.linkedWalletAddress.toLowerCase(),
        wallet_type: link.walletType,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["wallet_address", "chain_id", "linked_wallet_address"])
        // Unlike `doNothing`, this update makes the statement return the row.
        .doUpdateSet({ wallet_type: sql`linked_wallets.wallet_type` }),
    )
    .returningAll()
    .execute();
}

/** Removes a link and returns whether it existed. */
export async function unlinkWallets(
  database: Database,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom("linked_wallets")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
