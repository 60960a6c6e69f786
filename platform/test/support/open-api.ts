import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { pino } from "pino";

import {
  type APIClient,
  createAPIClient,
} from "../../../generated/api/client.js";
import { createApiServer } from "../../../generated/api/server.js";
import type { Tables } from "../../database/schema.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks } from "../../network/networks.js";
import { createApiHandler } from "../../services/api/handler.js";
import { createBuilderHandler } from "../../services/builder/handler.js";
import { readSettings } from "../../settings/read-settings.js";
import type { NetworkSettings } from "../../settings/settings.js";

/** A database that holds nothing. */
export const emptyDatabase = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The generated client of an API service on these networks; no key needed. */
export function openApi(
  networks: readonly NetworkSettings[],
  database: Kysely<Tables> = emptyDatabase,
): APIClient {
  const platform = {
    settings: readSettings({}),
    database,
    networks: createNetworks(networks, openChainClient),
    log: pino({ level: "silent" }),
  };
  const server = createApiServer({
    handlers: {
      api: createApiHandler(platform),
      builder: createBuilderHandler(platform),
    },
    createState: () => ({ project: 1, scopes: [] }),
    verifyAccessKey: () => true,
    onError: (error) => console.error(error),
  });
  return createAPIClient({
    baseUrl: "http://api.test",
    credentials: { accessKey: "key" },
    fetch: (input, init) => server.fetch(new Request(input, init)),
  });
}
