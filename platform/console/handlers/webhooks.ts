import { replayDeadJobs } from "../../queue/enqueue.js";
import {
  findDelivery,
  listDeliveries,
  type LoggedDelivery,
  replayDelivery,
  type DeliveryDetails,
} from "../../services/indexer/delivery-log.js";
import { deliveryQueue } from "../../services/indexer/index-blocks.js";
import {
  rotateWebhookSecret,
  webhookSecretsOf,
} from "../../services/indexer/webhook-secret.js";
import { NotReplayableError } from "../generated/errors.js";
import type { WebhooksHandler } from "../generated/server.js";
import type { Delivery, DeliveryAttempt } from "../generated/types.js";
import { readPartById } from "../lists/paging.js";
import { notFound, requireProject } from "../lists/require-project.js";
import type { ConsoleParts, OperatorState } from "../sign-in/console-parts.js";
import { createListenersHandler } from "./listeners.js";

/** Creates the handler for webhook listeners and their deliveries. */
export function createWebhooksHandler(
  parts: ConsoleParts,
): WebhooksHandler<OperatorState> {
  return {
    ...createListenersHandler(parts),
    ...createDeliveriesHandler(parts),
    ...createSecretsHandler(parts),
  };
}

/** Creates the methods for deliveries. */
function createDeliveriesHandler({ store: { database } }: ConsoleParts) {
  const requireDelivery = async (key: string): Promise<DeliveryDetails> =>
    (await findDelivery(database, key)) ??
    notFound("key", `there is no delivery ${key}, or it is no longer stored`);
  return {
    listDeliveries: async ({ page, ...choice }) => {
      const { projectId } = choice;
      if (projectId !== undefined) await requireProject(database, projectId);
      const { items, next } = await readPartById(page, (before, limit) =>
        listDeliveries(database, choice, before, limit),
      );
      return { deliveries: items.map(toDelivery), ...next };
    },

    getDelivery: async ({ key }) => {
      const delivery = await requireDelivery(key);
      const { history, payload } = delivery;
      return {
        delivery: toDelivery(delivery),
        notification: payload.notification,
        attempts: history.map(toAttempt).reverse(),
      };
    },

    replayDelivery: async ({ key }, { state }) => {
      const delivery = await requireDelivery(key);
      state.projectId = delivery.projectId;
      if (!(await replayDelivery(database, delivery))) {
        const cause = "its listener no longer receives webhooks";
        throw new NotReplayableError({ cause });
      }
      return { delivery: toDelivery(await requireDelivery(key)) };
    },

    replayDeadDeliveries: async ({ projectId }) => {
      if (projectId !== undefined) await requireProject(database, projectId);
      const choice = projectId === undefined ? {} : { lane: String(projectId) };
      return { count: await replayDeadJobs(database, deliveryQueue, choice) };
    },
  } satisfies Partial<WebhooksHandler<OperatorState>>;
}

/** Creates the methods for the secrets that sign webhooks. */
function createSecretsHandler({ store }: ConsoleParts) {
  const { database } = store;
  return {
    revealWebhookSecret: async ({ projectId }) => {
      const project = await requireProject(database, projectId);
      const { webhook_secret_rotated_at: rotatedAt } = project;
      return {
        secret: webhookSecretsOf(store.keys, project)[0],
        ...(rotatedAt !== null && { rotatedAt: rotatedAt.toISOString() }),
      };
    },

    rotateWebhookSecret: async ({ projectId }) => {
      await requireProject(database, projectId);
      const { rotatedAt, secret } = await rotateWebhookSecret(store, projectId);
      return { secret, rotatedAt: rotatedAt.toISOString() };
    },
  } satisfies Partial<WebhooksHandler<OperatorState>>;
}

function toDelivery(logged: LoggedDelivery): Delivery {
  const { endedAt, nextAttemptAt, reason } = logged;
  return {
    key: logged.key,
    projectId: logged.projectId,
    listenerId: logged.listenerId,
    state: logged.state,
    attempts: logged.attempts,
    createdAt: logged.createdAt.toISOString(),
    ...(nextAttemptAt !== null && {
      nextAttemptAt: nextAttemptAt.toISOString(),
    }),
    ...(endedAt !== null && { endedAt: endedAt.toISOString() }),
    ...(reason !== null && { reason }),
  };
}

function toAttempt(
  attempt: DeliveryDetails["history"][number],
): DeliveryAttempt {
  const { at, durationMs, reason } = attempt;
  return { at, durationMs, ...(reason !== null && { reason }) };
}
