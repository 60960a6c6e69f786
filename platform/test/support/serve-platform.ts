import type { Kysely } from "kysely";
import { stringifyJson } from "@ridlkit/runtime/json";
import type { RpcServer } from "@ridlkit/runtime/server";
import { onTestFinished } from "vitest";

import {
  createUseCounters,
  type UseCounters,
} from "../../activity/use-counters.js";
import { type RunningHost, serve } from "../../http/host.js";
import { createMetrics, type Metrics } from "../../http/metrics.js";
import { createObservation, withSpans } from "../../http/observation.js";
import { createServers } from "../../http/servers.js";
import {
  createAccessKey,
  createProject,
  createSecret,
  type KeyStore,
} from "../../keys/key-store.js";
import { deriveKeys } from "../../keys/master-secret.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type OpenClient } from "../../network/networks.js";
import type { Tables } from "../../database/schema.js";
import { createOutbound } from "../../outbound/outbound.js";
import type { Platform } from "../../parts/platform.js";
import { readSettings, type Settings } from "../../settings/read-settings.js";
import type { Tracing } from "../../tracing/start-tracing.js";
import { silent } from "./test-database.js";

/** A project with its keys. */
export interface TestProject {
  readonly id: number;
  readonly accessKey: string;
  readonly secret: string;
}

/** A response to a call. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A platform that is called directly, without a port. */
export interface ServedPlatform {
  /** The dependencies of its services. */
  readonly platform: Platform;
  readonly store: KeyStore;
  readonly metrics: Metrics;
  readonly counters: UseCounters;
  readonly server: RpcServer;
  /** A `fetch` for generated clients. */
  readonly fetch: typeof fetch;
  /** Calls the platform at a path, with headers and a message. */
  call(
    path: string,
    headers: Readonly<Record<string, string>>,
    message: object,
  ): Promise<Answer>;
}

/** The settings in `config.yaml`. */
export const defaultSettings = readSettings({});

/** The secret that all tests use. */
export const testSecret = "a secret of tests, with enough letters";
/** The keys derived from `testSecret`. */
export const testKeys = deriveKeys(testSecret);

/** Creates all services of the platform with a database. */
export function servePlatform(
  database: Kysely<Tables>,
  changes: Partial<Settings> = {},
  openClient: OpenClient = openChainClient,
  tracing: Tracing | null = null,
): ServedPlatform {
  // On a busy machine, requests can wait for a long time.
  const concurrency = { ...defaultSettings.concurrency, waitMs: 60_000 };
  const settings = { ...defaultSettings, concurrency, ...changes };
  const networks = createNetworks(settings.networks, openClient);
  const { allowPrivateTargets: allowPrivate } = settings;
  const outbound = createOutbound(allowPrivate);
  const { signal: stopping } = new AbortController();
  const parts = { settings, database, networks, outbound, log: silent };
  const platform = { ...parts, stopping };
  const store = { database, keys: testKeys };
  const count = () => ({ total: 0, idle: 0, waiting: 0 });
  const metrics = createMetrics({ count }, networks);
  const counters = createUseCounters(database);
  const plain = createObservation(silent, metrics, counters);
  const observation = tracing ? withSpans(plain, tracing.telemetry) : plain;
  const server = createServers(platform, store, observation, counters);
  return {
    platform,
    store,
    metrics,
    counters,
    server,
    fetch: (input, init) => server.fetch(new Request(input, init)),
    call: async (path, headers, message) => {
      const request = new Request(`http://platform.test${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: stringifyJson(message),
      });
      const response = await server.fetch(request);
      const body: unknown = await response.json();
      return {
        status: response.status,
        headers: response.headers,
        body: Object(body),
      };
    },
  };
}

/** Serves the platform over HTTP for the duration of the test. */
export async function hostPlatform(
  { metrics, platform, server }: ServedPlatform,
  proxyHeader: string | null = null,
): Promise<RunningHost> {
  const options = {
    ...{ host: "127.0.0.1", port: 0, proxyHeader },
    ...{ metricsHost: "127.0.0.1", metricsPort: 0 },
  };
  const { registry } = metrics;
  const host = await serve(server, platform, registry, options);
  onTestFinished(() => host.close(0));
  return host;
}

/** Creates a project with an access key and a secret that may write. */
export async function createTestProject(store: KeyStore): Promise<TestProject> {
  const { id } = await createProject(store, "Test");
  const { key: accessKey } = await createAccessKey(store, { projectId: id });
  const { key: secret } = await createSecret(store, {
    projectId: id,
    scopes: ["read", "write"],
    expiresAt: new Date(Date.now() + 60_000),
  });
  return { id, accessKey, secret };
}

/** Returns the headers with the keys of a project. */
export function headersOf({
  accessKey,
  secret,
}: Pick<TestProject, "accessKey" | "secret">): Record<string, string> {
  return { "x-access-key": accessKey, authorization: `Bearer ${secret}` };
}
