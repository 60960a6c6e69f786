import { createBuilderClient } from "../../../generated/api/client.js";
import { createRelayerClient } from "../../../generated/relayer/client.js";
import type { Ready } from "./start-platform.js";

/** Opens a client of the Builder with the printed keys. */
export function openBuilder({ baseUrl, accessKey }: Ready) {
  return createBuilderClient({ baseUrl, credentials: { accessKey } });
}

/** Opens a client of the Relayer with the printed keys. */
export function openRelayer({ baseUrl, accessKey, secret }: Ready) {
  return createRelayerClient({ baseUrl, credentials: { accessKey, secret } });
}
