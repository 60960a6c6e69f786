import { NotFoundError, type WebhookListener } from "../../generated/index.js";
import type {
  IndexerHandler,
  IndexerWebhookHandler,
} from "../../generated/indexer/server.js";
import { demoProjectId, requireDemoProject } from "./credentials.js";

/**
 * Creates the handler for one chain's indexer. It keeps listeners in memory.
 */
export function createIndexerHandler(): IndexerHandler {
  const listeners = new Map<string, WebhookListener>();
  let count = 0;
  return {
    addWebhookListener: ({ url, filters }) => {
      count += 1;
      const listener = {
        id: String(count),
        projectID: demoProjectId,
        url,
        filters,
        name: "",
        updatedAt: new Date().toISOString(),
        active: true,
      };
      listeners.set(listener.id, listener);
      return { status: true, listener };
    },

    removeWebhookListener: ({ id, projectId }) => {
      requireDemoProject(projectId);
      if (listeners.delete(id)) return { status: true };
      throw new NotFoundError({ cause: `id: no listener ${id}` });
    },
  };
}

/** Creates the handler that receives notifications in an application. */
export function createWebhookHandler(
  print: (line: string) => void,
): IndexerWebhookHandler {
  return {
    notify: ({ type, event, contractAddress, txnHash }) => {
      print(
        `${type}: ${event.eventSig} of ${contractAddress} in transaction ${txnHash}`,
      );
      return {};
    },
  };
}
