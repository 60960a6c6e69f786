import type { BuilderHandler } from "../../../generated/api/server.js";
import type { PlatformState } from "../../keys/state.js";
import { requireProject } from "../../keys/verify.js";
import type { Platform } from "../../parts/platform.js";
import { deleteAudience, listAudiences, removeContacts } from "./audiences.js";

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

    deleteAudience: async (place, context) => {
      requireProject(context, place.projectId);
      await deleteAudience(database, place);
      return { ok: true };
    },

    removeAudienceContacts: async ({ contactIds, ...place }, context) => {
      requireProject(context, place.projectId);
      await removeContacts(database, place, contactIds);
      return { ok: true };
    },
  };
}
