import type { Kysely } from "kysely";

import {
  type APIClient,
  createAPIClient,
} from "../../../generated/api/client.js";
import type { Tables } from "../../database/schema.js";
import type { Settings } from "../../settings/read-settings.js";
import type { NetworkSettings } from "../../settings/read-network.js";
import { createTestProject, servePlatform } from "./serve-platform.js";

/**
 * Opens the API service with its generated client, a database, and some
 * networks.
 */
export async function openApi(
  database: Kysely<Tables>,
  networks: readonly NetworkSettings[],
  changes: Partial<Settings> = {},
): Promise<APIClient> {
  const platform = servePlatform(database, { networks, ...changes });
  const { accessKey } = await createTestProject(platform.store);
  return createAPIClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey },
    fetch: platform.fetch,
  });
}
