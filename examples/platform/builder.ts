import { NotFoundError, type Audience } from "../../generated/index.js";
import type { BuilderHandler } from "../../generated/api/server.js";
import { demoProjectId, requireDemoProject } from "./credentials.js";

interface StoredAudience {
  readonly audience: Audience;
  readonly contactIds: Set<bigint>;
}

/** Creates the handler for the Builder service, with one audience in memory. */
export function createBuilderHandler(): BuilderHandler {
  const stored = new Map<number, StoredAudience>([
    [1, createAudience(1, "First users", [1n, 2n, 2n ** 64n - 1n])],
  ]);

  const find = (projectId: number, audienceId: number): StoredAudience => {
    requireDemoProject(projectId);
    const found = stored.get(audienceId);
    if (found && found.audience.deletedAt === undefined) return found;
    throw new NotFoundError({ cause: `audienceId: no audience ${audienceId}` });
  };

  return {
    listAudiences: ({ projectId }) => {
      requireDemoProject(projectId);
      const audiences = [...stored.values()].map(({ audience }) => audience);
      return {
        audiences: audiences.filter(({ deletedAt }) => deletedAt === undefined),
      };
    },

    deleteAudience: ({ projectId, audienceId }) => {
      const { audience } = find(projectId, audienceId);
      audience.deletedAt = new Date().toISOString();
      return { ok: true };
    },

    removeAudienceContacts: ({ projectId, audienceId, contactIds }) => {
      const { audience, contactIds: kept } = find(projectId, audienceId);
      for (const contactId of contactIds) kept.delete(contactId);
      audience.contactCount = kept.size;
      audience.updatedAt = new Date().toISOString();
      return { ok: true };
    },
  };
}

function createAudience(
  id: number,
  name: string,
  contactIds: readonly bigint[],
): StoredAudience {
  const now = new Date().toISOString();
  return {
    audience: {
      id,
      projectId: demoProjectId,
      name,
      contactCount: contactIds.length,
      createdAt: now,
      updatedAt: now,
    },
    contactIds: new Set(contactIds),
  };
}
