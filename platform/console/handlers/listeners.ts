import type { Database, Row } from "../../database/schema.js";
import {
  addListener,
  updateListener,
} from "../../services/indexer/add-listener.js";
import {
  deleteListener,
  resumeListener,
} from "../../services/indexer/listeners.js";
import {
  createSendWebhook,
  type SendFailure,
} from "../../services/indexer/send-webhook.js";
import { createTestEvent } from "../../services/indexer/test-event.js";
import { webhookSecretsOf } from "../../services/indexer/webhook-secret.js";
import type { WebhooksHandler } from "../generated/server.js";
import type { DeliveryAttempt, Listener } from "../generated/types.js";
import { readRows } from "../lists/paging.js";
import {
  notFound,
  requireChain,
  requireProject,
} from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";

/** Creates the methods for webhook listeners. */
export function createListenersHandler({
  platform,
  store: { database, keys },
}: ConsoleParts) {
  const send = createSendWebhook(platform.outbound);
  return {
    listListeners: async ({ page, projectId }) => {
      await requireProject(database, projectId);
      const rows = database
        .selectFrom("webhook_listeners")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("deleted_at", "is", null);
      const { items, next } = await readRows(rows, page);
      return { listeners: items.map(toListener), ...next };
    },

    addListener: async ({ chainId, ...listener }) => {
      await requireProject(database, listener.projectId);
      const network = requireChain(platform.networks, chainId);
      const row = await addListener(platform, network, listener);
      return { listener: toListener(row) };
    },

    updateListener: async (change) => {
      const row = await updateListener(platform, change);
      return { listener: toListener(row ?? noListener(change.id)) };
    },

    sendTestEvent: async ({ id, projectId }, { signal }) => {
      const project = await requireProject(database, projectId);
      const { url } =
        (await findUrl(database, projectId, id)) ?? noListener(id);
      const secrets = webhookSecretsOf(keys, project);
      const target = { projectId, url, secrets };
      return {
        attempt: await attempt(() => send(target, createTestEvent(), signal)),
      };
    },

    resumeListener: async ({ id, projectId }) => {
      const { settings } = platform;
      const row = await resumeListener(database, projectId, id, settings);
      return { listener: row === null ? noListener(id) : toListener(row) };
    },

    deleteListener: async ({ id, projectId }) => {
      const row = await database
        .selectFrom("webhook_listeners")
        .select("chain_id")
        .where("id", "=", id)
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      if (row === undefined) return noListener(id);
      const place = { projectId, chainId: row.chain_id, id: String(id) };
      await deleteListener(database, place);
      return {};
    },
  } satisfies Partial<WebhooksHandler<OperatorState>>;
}

function findUrl(
  database: Database,
  projectId: number,
  id: number,
): Promise<{ readonly url: string } | undefined> {
  return database
    .selectFrom("webhook_listeners")
    .select("url")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Measures an attempt to send a webhook. */
async function attempt(
  send: () => Promise<SendFailure | null>,
): Promise<DeliveryAttempt> {
  const at = new Date().toISOString();
  const since = performance.now();
  const failure = await send();
  const durationMs = Math.round(performance.now() - since);
  return { at, durationMs, ...(failure && { reason: failure.reason }) };
}

function noListener(id: number): never {
  return notFound("id", `the project has no listener ${id}`);
}

function stateOf({
  active,
  set_aside_reason: reason,
}: Row<"webhook_listeners">): Pick<Listener, "reason" | "state"> {
  if (!active) return { state: "ended" };
  return reason === null ? { state: "active" } : { state: "set-aside", reason };
}

function toListener(row: Row<"webhook_listeners">): Listener {
  return {
    id: row.id,
    projectId: row.project_id,
    chainId: row.chain_id,
    url: row.url,
    filters: row.filters,
    ...stateOf(row),
    skippedLogs: row.skipped_logs,
    ...(row.skipped_reason !== null && { skippedReason: row.skipped_reason }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
