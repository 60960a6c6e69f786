import { type Kysely, type Selectable, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { Page } from "../generated/types.js";
import { type Part, readPartById } from "./paging.js";
import { requireProject } from "./require-project.js";

/**
 * Tables whose rows belong to a project and are marked as deleted instead of
 * being removed.
 */
type SoftDeletedTables = Pick<
  Tables,
  "audiences" | "gas_sponsors" | "webhook_listeners"
>;

type Row<Table extends keyof SoftDeletedTables> = Selectable<
  SoftDeletedTables[Table]
> & {
  readonly id: number;
};

/**
 * Reads a page of a project's rows that are not deleted, newest first.
 *
 * Errors: `NotFound`, `InvalidArgument`.
 */
export async function readUndeleted<Table extends keyof SoftDeletedTables>(
  database: Kysely<Tables>,
  table: Table,
  { page, projectId }: { readonly page?: Page; readonly projectId: number },
): Promise<Part<Row<Table>>> {
  await requireProject(database, projectId);
  return readPartById(page, async (before, limit) => {
    const { rows } = await sql<Row<Table>>`
      select * from ${sql.table(table)}
      where project_id = ${projectId} and deleted_at is null and id < ${before}
      order by id desc limit ${limit}`.execute(database);
    return rows;
  });
}
