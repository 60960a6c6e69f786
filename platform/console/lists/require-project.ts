import { NotFoundError } from "../../../generated/errors.js";
import type { Database, Row } from "../../database/schema.js";
import type { Network, Networks } from "../../network/networks.js";

/** Returns a project. Errors: `NotFound`. */
export async function requireProject(
  database: Database,
  projectId: number,
): Promise<Row<"projects">> {
  const row = await database
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", projectId)
    .executeTakeFirst();
  return row ?? notFound("projectId", `there is no project ${projectId}`);
}

/** Returns the network with a chain ID. Errors: `NotFound`. */
export function requireChain(
  networks: Pick<Networks, "find">,
  chainId: number,
): Network {
  return (
    networks.find(String(chainId)) ??
    notFound("chainId", `the platform has no chain ${chainId}`)
  );
}

/** Throws `NotFound`. */
export function notFound(argument: string, problem: string): never {
  throw new NotFoundError({ cause: `${argument}: ${problem}` });
}
