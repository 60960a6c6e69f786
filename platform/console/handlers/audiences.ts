import { rowsAtOnce } from "../../database/pieces.js";
import type { Database } from "../../database/schema.js";
import {
  addContacts,
  type AudiencePlace,
  createAudience,
  deleteAudience,
  readContacts,
  removeContacts,
  renameAudience,
  toAudience,
} from "../../services/builder/audiences.js";
import { readContactsCsv, writeContactsCsv } from "../csv/contacts-csv.js";
import type { AudiencesHandler } from "../generated/server.js";
import type { Audience } from "../generated/types.js";
import { readPart, readRows, refuseCursor } from "../lists/paging.js";
import { notFound, requireProject } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

/** Creates the handler for audiences and their contacts. */
export function createAudiencesHandler(
  parts: ConsoleParts,
): AudiencesHandler<OperatorState> {
  const { database } = parts.store;
  return {
    ...createContactsHandler(parts),

    listAudiences: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const rows = database
        .selectFrom("audiences")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("deleted_at", "is", null);
      const { items, next } = await readRows(rows, page);
      return { audiences: items.map(toAudience), ...next };
    },

    getAudience: async ({ audienceId, projectId }) => ({
      audience: await readAudience(database, { projectId, audienceId }),
    }),

    createAudience: async ({ name, projectId }) => {
      await requireProject(database, projectId);
      const audienceId = await createAudience(database, projectId, name, []);
      return {
        audience: await readAudience(database, { projectId, audienceId }),
      };
    },

    renameAudience: async ({ audienceId, name, projectId }) => {
      const place = { projectId, audienceId };
      await readAudience(database, place);
      return { audience: await renameAudience(database, place, name) };
    },

    deleteAudience: async ({ audienceId, projectId }) => {
      const place = { projectId, audienceId };
      await readAudience(database, place, true);
      await deleteAudience(database, place);
      return {};
    },
  };
}

/** Creates the methods for the contacts of audiences. */
function createContactsHandler({ store: { database } }: ConsoleParts) {
  return {
    listContacts: async ({ contactId: only = null, page, ...place }) => {
      await readAudience(database, place);
      const { items, next } = await readPart(
        page,
        (after, limit) =>
          readContacts(database, place.audienceId, {
            after: after === null ? null : toCursor(after),
            limit,
            only,
          }),
        String,
      );
      return { contactIds: items, ...next };
    },

    addContacts: async ({ contactIds, ...place }) => {
      await readAudience(database, place);
      await addContacts(database, place, contactIds);
      return { audience: await readAudience(database, place) };
    },

    removeContacts: async ({ contactIds, ...place }) => {
      await readAudience(database, place);
      await removeContacts(database, place, contactIds);
      return { audience: await readAudience(database, place) };
    },

    importContacts: async ({ csv, ...place }) => {
      await readAudience(database, place);
      const { contactIds, faultCount, faults } = await readContactsCsv(csv);
      const added =
        faultCount > 0 ? 0 : await addContacts(database, place, contactIds);
      return {
        added,
        known: faultCount > 0 ? 0 : contactIds.length - added,
        faultCount,
        faults: [...faults],
        audience: await readAudience(database, place),
      };
    },

    exportContacts: async (place) => {
      const { id } = await readAudience(database, place);
      const file = writeContactsCsv(`audience-${id}.csv`, (after) =>
        readContacts(database, id, { after, limit: rowsAtOnce }),
      );
      return { file };
    },
  } satisfies Partial<AudiencesHandler<OperatorState>>;
}

function toCursor(text: string): bigint {
  if (!/^[0-9]{1,20}$/u.test(text)) throw refuseCursor(text);
  return BigInt(text);
}

/**
 * Reads an audience. Errors: `NotFound` if the project has no such audience, or
 * if the audience is deleted and `isDeletedToo` is false.
 */
async function readAudience(
  database: Database,
  place: AudiencePlace,
  isDeletedToo = false,
): Promise<Audience> {
  const row = await database
    .selectFrom("audiences")
    .selectAll()
    .where("id", "=", place.audienceId)
    .where("project_id", "=", place.projectId)
    .$if(!isDeletedToo, (query) => query.where("deleted_at", "is", null))
    .executeTakeFirst();
  if (row !== undefined) return toAudience(row);
  const problem = `the project has no audience ${place.audienceId}`;
  return notFound("audienceId", problem);
}
