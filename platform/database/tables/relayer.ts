import type { Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** The tanks that pay for projects' sponsored transactions on each chain. */
export interface GasTankTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly chain_id: number;
  /** The balance in the smallest currency unit, in decimal digits. */
  balance: string;
  readonly created_at: CreatedAt;
  updated_at: Date;
}

/** Addresses whose transactions are sponsored. */
export interface GasSponsorTable {
  readonly id: Generated<number>;
  readonly gas_tank_id: number;
  readonly project_id: number;
  readonly chain_id: number;
  /** The address, in lowercase. */
  readonly address: string;
  name: string;
  active: boolean;
  /** What it pays at most in 24 hours, or null if there is no limit. */
  daily_limit: string | null;
  readonly created_at: CreatedAt;
  updated_at: Date;
  deleted_at: Date | null;
}

/** Amounts that were added to tanks, or taken out of them. */
export interface GasTankFillTable {
  readonly id: Generated<number>;
  readonly gas_tank_id: number;
  /** The amount, in decimal digits. Negative if it was taken out. */
  readonly amount: string;
  /**
   * The operator who filled the tank. Null if the platform did, or if the
   * operator is unknown.
   */
  readonly operator: string | null;
  /** Why the amount was taken out. */
  readonly reason: string | null;
  /** Identifies the change, so that it is made only once. */
  readonly idempotency_key: string | null;
  readonly created_at: CreatedAt;
}
