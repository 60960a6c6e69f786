import type { Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** Links between wallets. */
export interface LinkedWalletTable {
  readonly id: Generated<number>;
  /** The parent wallet, in lowercase. */
  readonly wallet_address: string;
  /**
   * The chain of the parent if it is a contract, or null if it is a plain
   * account.
   */
  readonly chain_id: number | null;
  /** The linked wallet, in lowercase. */
  readonly linked_wallet_address: string;
  readonly wallet_type: string | null;
  readonly created_at: CreatedAt;
}
