import type { Kysely } from "kysely";

import type { Tables } from "../../database/schema.js";

/** A wallet to link to another one. */
export interface WalletLink {
  readonly walletAddress: string;
  readonly linkedWalletAddress: string;
  /** Chain of a parent that is a contract; null: it is a plain account. */
  readonly chainId: number | null;
  readonly walletType: string | null;
}

/**
 * Links wallets to their parents; those that are linked already stay so.
 *
 * The caller answers for both wallets having agreed.
 */
export async function linkWallets(
  database: Kysely<Tables>,
  links: readonly WalletLink[],
): Promise<void> {
  if (links.length === 0) return;
  await database
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
        .doNothing(),
    )
    .execute();
}
