import type { Selectable } from "kysely";

import type { ProjectTable } from "../../database/tables/keys.js";
import { createProject } from "../../keys/key-store.js";
import { renameProject } from "../../keys/manage-keys.js";
import type { ProjectsHandler } from "../generated/server.js";
import type { Project } from "../generated/types.js";
import { readPartById } from "../lists/paging.js";
import { notFound, requireProject } from "../lists/require-project.js";
import type { ConsoleParts } from "../sign-in/console-parts.js";
import type { OperatorState } from "../sign-in/state.js";

/** Creates the handler for projects. */
export function createProjectsHandler({
  store,
}: ConsoleParts): ProjectsHandler<OperatorState> {
  const { database } = store;
  return {
    listProjects: async ({ page, search = "" }) => {
      const pattern = `%${search.replaceAll(/[\\%_]/gu, "\\$&")}%`;
      const number = /^[0-9]{1,15}$/u.test(search) ? Number(search) : null;
      const { items, next } = await readPartById(page, (before, limit) =>
        database
          .selectFrom("projects")
          .selectAll()
          .where("id", "<", before)
          .$if(search !== "", (query) =>
            query.where((row) =>
              row.or([
                row("name", "ilike", pattern),
                ...(number === null ? [] : [row("id", "=", number)]),
              ]),
            ),
          )
          .orderBy("id", "desc")
          .limit(limit)
          .execute(),
      );
      return { projects: items.map(toProject), ...next };
    },

    getProject: async ({ projectId }) => ({
      project: toProject(await requireProject(database, projectId)),
    }),

    createProject: async ({ name }) => ({
      project: toProject(await createProject(store, name)),
    }),

    renameProject: async ({ name, projectId }) => {
      const row = await renameProject(database, projectId, name);
      if (row !== null) return { project: toProject(row) };
      return notFound("projectId", `there is no project ${projectId}`);
    },
  };
}

function toProject(row: Selectable<ProjectTable>): Project {
  const { created_at: createdAt, id, name } = row;
  return { id, name, createdAt: createdAt.toISOString() };
}
