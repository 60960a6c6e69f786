import { createConsoleHostClient } from "../../generated/client.js";
import {
  createActivityQueries,
  createAudiencesQueries,
  createGasTanksQueries,
  createKeysQueries,
  createOperatorsQueries,
  createProjectsQueries,
  createWalletsQueries,
  createWebhooksQueries,
} from "../../generated/query.js";
import type { FillGasTankRequest } from "../../generated/types.js";

/**
 * The API client for the page's own origin. The session is stored in a cookie.
 */
export const client = createConsoleHostClient({
  baseUrl: window.location.origin,
  timeoutMs: 30_000,
});

/** Queries and mutations of sessions and networks. */
export const operators = createOperatorsQueries(client.operators);

/** Queries and mutations of projects. */
export const projects = createProjectsQueries(client.projects);

/** Queries and mutations of access keys and secret keys. */
export const keys = createKeysQueries(client.keys);

/** Queries and mutations of audiences and their contacts. */
export const audiences = createAudiencesQueries(client.audiences);

/** Queries and mutations of wallet links. */
export const wallets = createWalletsQueries(client.wallets);

/** Queries and mutations of gas tanks and sponsors. */
export const gasTanks = createGasTanksQueries(client.gasTanks);

/** Fills a tank once for each key, which the form keeps if it is sent again. */
export const fillGasTank = {
  ...gasTanks.fillGasTank.mutationOptions(),
  mutationFn: (request: FillGasTankRequest) => {
    const { key } = request;
    const options = key === undefined ? {} : { idempotencyKey: key };
    return client.gasTanks.fillGasTank(request, options);
  },
};

/** Queries and mutations of listeners, deliveries and webhook secrets. */
export const webhooks = createWebhooksQueries(client.webhooks);

/** Queries of usage, refresh tasks and the audit log. */
export const activity = createActivityQueries(client.activity);
