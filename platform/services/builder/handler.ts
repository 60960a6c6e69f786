import type { BuilderHandler } from "../../../generated/api/server.js";
import { NotFoundError } from "../../../generated/errors.js";
import type { PlatformState } from "../../keys/state.js";
import { requireProject } from "../../keys/verify.js";
import type { Platform } from "../../parts/platform.js";
import { deleteAudience, listAudiences } from "./audiences.js";
import { removeContacts } from "./contacts.js";

/**
 * Creates the handler for the Builder service, with audiences in the database.
 */
export function createBuilderHandler({
  database,
}: Pick<Platform, "database">): BuilderHandler<PlatformState> {
  return {
    listAudiences: async ({ projectId }, context) => {
      requireProject(context, projectId);
      return { audiences: await listAudiences(database, projectId) };
    },

    deleteAudience: async ({ projectId, audienceId }, context) => {
      requireProject(context, projectId);
      const isDone = await deleteAudience(database, { projectId, audienceId });
      if (!isDone) throw noAudience(audienceId);
      return { ok: true };
    },

    removeAudienceContacts: async (request, context) => {
      const { projectId, audienceId, contactIds } = request;
      requireProject(context, projectId);
      const place = { projectId, audienceId };
      const isDone = await removeContacts(database, place, contactIds);
      if (!isDone) throw noAudience(audienceId);
      return { ok: true };
    },
  };
}

function noAudience(audienceId: number): NotFoundError {
  return new NotFoundError({ cause: `audienceId: no audience ${audienceId}` });
}
