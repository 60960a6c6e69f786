import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { Page } from "../generated/types.js";
import { type Part, readPartById } from "./paging.js";
import { requireProject } from "./require-project.js";

/** Tables whose rows are listed by ID. */
type ListedTables = Pick<
  Tables,
  | "access_keys"
  | "audiences"
  | "gas_sponsors"
  | "linked_wallets"
  | "operator_actions"
  | "projects"
  | "webhook_listeners"
>;

type Row<Table extends keyof ListedTables> = Selectable<ListedTables[Table]> & {
  readonly id: number;
};

/**
 * Reads a page of the rows that match a condition, newest first.
 *
 * Errors: `InvalidArgument` for an invalid cursor.
 */
export function readRows<Table extends keyof ListedTables>(
  database: Kysely<Tables>,
  table: Table,
  page: Page | undefined,
  condition: RawBuilder<unknown>,
): Promise<Part<Row<Table>>> {
  return readPartById(page, async (before, limit) => {
    const { rows } = await sql<Row<Table>>`
      select * from ${sql.table(table)}
      where ${condition} and id < ${before}
      order by id desc limit ${limit}`.execute(database);
    return rows;
  });
}

/**
 * Reads a page of a project's rows, newest first. Leaves out rows that are
 * marked as deleted.
 *
 * Errors: `NotFound`, `InvalidArgument`.
 */
export async function readUndeleted<
  Table extends "audiences" | "gas_sponsors" | "webhook_listeners",
>(
  database: Kysely<Tables>,
  table: Table,
  { page, projectId }: { readonly page?: Page; readonly projectId: number },
): Promise<Part<Row<Table>>> {
  await requireProject(database, projectId);
  const condition = sql`project_id = ${projectId} and deleted_at is null`;
  return readRows(database, table, page, condition);
}
