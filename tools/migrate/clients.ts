import type { OldClient } from "./change/old-client.js";
import { heyApi } from "./hey-api/hey-api.js";
import { openapiFetch } from "./openapi-fetch/openapi-fetch.js";
import { trpc } from "./trpc/trpc.js";
import { tsRest } from "./ts-rest/ts-rest.js";

/** The clients whose calls `ridl migrate` changes. */
export const oldClients: readonly OldClient[] = [
  openapiFetch,
  heyApi,
  tsRest,
  trpc,
];
