import type { Row } from "../../database/schema.js";
import { createProject } from "../../keys/key-store.js";
import type { ProjectsHandler } from "../generated/server.js";
import type { Project } from "../generated/types.js";
import { readRows } from "../lists/paging.js";
import { requireProject } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

/** Creates the handler for projects. */
export function createProjectsHandler({
  store,
}: ConsoleParts): ProjectsHandler<OperatorState> {
  const { database } = store;
  return {
    listProjects: async ({ page, search = "" }) => {
      const pattern = `%${search.replaceAll(/[\\%_]/gu, "\\$&")}%`;
      const number = /^[0-9]{1,15}$/u.test(search) ? Number(search) : null;
      const rows = database
        .selectFrom("projects")
        .selectAll()
        .where((either) =>
          either.or([
            either("name", "ilike", pattern),
            either("id", "=", number),
          ]),
        );
      const { items, next } = await readRows(rows, page);
      return { projects: items.map(toProject), ...next };
    },

    getProject: async ({ projectId }) => ({
      project: toProject(await requireProject(database, projectId)),
    }),

    createProject: async ({ name }) => ({
      project: toProject(await createProject(store, name)),
    }),

    renameProject: async ({ name, projectId }) => {
      await requireProject(database, projectId);
      const row = await database
        .updateTable("projects")
        .set({ name })
        .where("id", "=", projectId)
        .returningAll()
        .executeTakeFirstOrThrow();
      return { project: toProject(row) };
    },
  };
}

function toProject(row: Row<"projects">): Project {
  const { created_at: createdAt, id, name } = row;
  return { id, name, createdAt: createdAt.toISOString() };
}
