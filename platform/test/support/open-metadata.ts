import type { Kysely } from "kysely";

import {
  createMetadataHostClient,
  type MetadataHostClient,
} from "../../../generated/metadata/client.js";
import type { Tables } from "../../database/schema.js";
import type { Settings } from "../../settings/settings.js";
import {
  createTestProject,
  servePlatform,
  type ServedPlatform,
} from "./serve-platform.js";

/** The metadata host, as its clients see it. */
export interface OpenMetadata extends MetadataHostClient {
  readonly platform: ServedPlatform;
}

/** The generated clients of the metadata host, with keys of a new project. */
export async function openMetadata(
  database: Kysely<Tables>,
  changes: Partial<Settings>,
): Promise<OpenMetadata> {
  const platform = servePlatform(database, {
    allowPrivateTargets: true,
    ...changes,
  });
  const { accessKey } = await createTestProject(platform.store);
  const clients = createMetadataHostClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey },
    fetch: platform.fetch,
  });
  return { ...clients, platform };
}
