import type { Migration } from "kysely";

import { keys } from "./0001-keys.js";
import { builder } from "./0010-builder.js";
import { api } from "./0015-api.js";
import { relayer } from "./0020-relayer.js";
import { marketplace } from "./0030-marketplace.js";
import { marketChanges } from "./0031-market-changes.js";
import { metadata } from "./0040-metadata.js";
import { queue } from "./0050-queue.js";
import { follower } from "./0055-follower.js";
import { indexer } from "./0056-indexer.js";
import { relaying } from "./0060-relaying.js";
import { dataFees } from "./0061-data-fees.js";
import { relayTransactions } from "./0062-relay-transactions.js";
import { linksByChain } from "./0070-links-by-chain.js";
import { fairQueues } from "./0071-fair-queues.js";
import { retention } from "./0072-retention.js";
import { webhookSecrets } from "./0073-webhook-secrets.js";
import { rateLimits } from "./0074-rate-limits.js";
import { notificationsByListener } from "./0075-notifications-by-listener.js";
import { sharedAnswers } from "./0076-shared-answers.js";
import { signedOrders } from "./0077-signed-orders.js";
import { projectConsole } from "./0078-console.js";
import { forwardedCalls } from "./0079-forwarded-calls.js";
import { tankEntries } from "./0080-tank-entries.js";
import { deliveryLists } from "./0081-delivery-lists.js";
import { budgets } from "./0082-budgets.js";
import { canceledDeliveries } from "./0083-canceled-deliveries.js";

/** All migrations by name, in name order. They are never reverted. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-keys": keys,
  "0010-builder": builder,
  "0015-api": api,
  "0020-relayer": relayer,
  "0030-marketplace": marketplace,
  "0031-market-changes": marketChanges,
  "0040-metadata": metadata,
  "0050-queue": queue,
  "0055-follower": follower,
  "0056-indexer": indexer,
  "0060-relaying": relaying,
  "0061-data-fees": dataFees,
  "0062-relay-transactions": relayTransactions,
  "0070-links-by-chain": linksByChain,
  "0071-fair-queues": fairQueues,
  "0072-retention": retention,
  "0073-webhook-secrets": webhookSecrets,
  "0074-rate-limits": rateLimits,
  "0075-notifications-by-listener": notificationsByListener,
  "0076-shared-answers": sharedAnswers,
  "0077-signed-orders": signedOrders,
  "0078-console": projectConsole,
  "0079-forwarded-calls": forwardedCalls,
  "0080-tank-entries": tankEntries,
  "0081-delivery-lists": deliveryLists,
  "0082-budgets": budgets,
  "0083-canceled-deliveries": canceledDeliveries,
};
