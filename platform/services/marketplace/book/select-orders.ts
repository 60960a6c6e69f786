import { type RawBuilder, sql } from "kysely";

import type { Database, Row } from "../../../database/schema.js";
import type { Book } from "./book.js";

/** The row of an order, with its last change. */
export interface OrderRow extends Row<"marketplace_orders"> {
  /** The block time of the order's last change, or null if there was none. */
  readonly changed_at: Date | null;
  /** When the last change was stored, or null if there was none. */
  readonly noted_at: Date | null;
}

/**
 * Selects orders of a marketplace with their changes and with the last time that
 * their maker canceled all orders.
 *
 * Input: the rows to select from, by default the whole table.
 */
export function selectOrders(
  database: Database,
  { chainId, contract }: Book,
  rows = sql<Row<"marketplace_orders">>`marketplace_orders`,
) {
  return selectWithChanges(database, rows)
    .where("orders.chain_id", "=", chainId)
    .where("orders.contract", "=", contract);
}

/** Selects orders of all marketplaces in the same way. */
export function selectWithChanges(
  database: Database,
  rows: RawBuilder<Row<"marketplace_orders">>,
) {
  return database
    .selectFrom(rows.as("orders"))
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("marketplace_changes as change")
          .select([
            sql<Date | null>`max(change.mined_at)`.as("mined_at"),
            sql<Date | null>`max(change.created_at)`.as("created_at"),
            sql<boolean | null>`bool_or(change.kind = 'cancelled')`.as(
              "is_cancelled",
            ),
            sql<string | null>`sum(change.quantity)`.as("filled"),
          ])
          .whereRef("change.chain_id", "=", "orders.chain_id")
          .whereRef("change.contract", "=", "orders.contract")
          .whereRef("change.order_hash", "=", "orders.order_hash")
          .as("own"),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("marketplace_changes as change")
          .select(["change.mined_at", "change.created_at"])
          .whereRef("change.chain_id", "=", "orders.chain_id")
          .whereRef("change.contract", "=", "orders.contract")
          .whereRef("change.maker", "=", "orders.maker")
          .where("change.kind", "=", sql.lit("all-cancelled"))
          .where(
            sql<boolean>`(change.block_number, change.log_index)
              > (orders.block_number, orders.log_index)`,
          )
          .orderBy("change.block_number", "desc")
          .orderBy("change.log_index", "desc")
          .limit(sql.lit(1))
          .as("counter"),
      (join) => join.onTrue(),
    )
    .selectAll("orders")
    .select([
      sql<Date | null>`greatest(own.mined_at, counter.mined_at)`.as(
        "changed_at",
      ),
      sql<Date | null>`greatest(own.created_at, counter.created_at)`.as(
        "noted_at",
      ),
    ]);
}
