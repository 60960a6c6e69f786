import type { Kysely, Selectable } from "kysely";

import { NotFoundError } from "../../../generated/errors.js";
import type { Tables } from "../../database/schema.js";
import type { ProjectTable } from "../../database/tables/keys.js";
import { findProject } from "../../keys/manage-keys.js";

/** Returns a project. Errors: `NotFound`. */
export async function requireProject(
  database: Kysely<Tables>,
  projectId: number,
): Promise<Selectable<ProjectTable>> {
  return (
    (await findProject(database, projectId)) ??
    notFound("projectId", `there is no project ${projectId}`)
  );
}

/** Throws `NotFound`. */
export function notFound(argument: string, problem: string): never {
  throw new NotFoundError({ cause: `${argument}: ${problem}` });
}
