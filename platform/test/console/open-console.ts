import type { RpcServer } from "@ridlkit/runtime/server";
import type { Kysely } from "kysely";

import { createConsoleParts } from "../../console/start-console.js";
import {
  type ConsoleHostClient,
  createConsoleHostClient,
} from "../../console/generated/client.js";
import { createConsole } from "../../console/server.js";
import type { Tables } from "../../database/schema.js";
import { createObservation } from "../../http/observation.js";
import type { Settings } from "../../settings/read-settings.js";
import {
  servePlatform,
  type ServedPlatform,
} from "../support/serve-platform.js";
import { silent } from "../support/test-database.js";

/** The operator token used in tests. */
export const testToken = "a token of tests, with enough letters";

/** A console and its platform. */
export interface OpenConsole {
  readonly platform: ServedPlatform;
  /** A client that is signed in with the operator token. */
  readonly client: ConsoleHostClient;
  readonly server: RpcServer;
  readonly fetch: typeof fetch;
  /** A client that sends these headers and no credential. */
  clientWith(headers: Readonly<Record<string, string>>): ConsoleHostClient;
}

const baseUrl = "http://console.test";

/**
 * Opens the console of a platform. Requests go directly to its server, without
 * a port.
 */
export function openConsole(
  database: Kysely<Tables>,
  changes: Partial<Settings> = {},
): OpenConsole {
  const platform = servePlatform(database, changes);
  const parts = createConsoleParts(
    platform.platform,
    platform.store,
    testToken,
  );
  const observation = createObservation(silent, platform.metrics);
  const server = createConsole(parts, observation);
  const fetchConsole: typeof fetch = (input, init) =>
    server.fetch(new Request(input, init));
  return {
    platform,
    server,
    fetch: fetchConsole,
    client: createConsoleHostClient({
      baseUrl,
      credentials: { sessionToken: testToken },
      fetch: fetchConsole,
    }),
    clientWith: (headers) =>
      createConsoleHostClient({ baseUrl, headers, fetch: fetchConsole }),
  };
}
