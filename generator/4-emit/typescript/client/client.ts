import type { Emitter } from "../../emitter.js";
import type { Statement } from "../text/build.js";
import {
  hostScopes,
  inboundServices,
  type HostScope,
} from "../calls/call-scope.js";
import {
  emitCredentialConstants,
  emitHostOptions,
} from "./client-credentials.js";
import { emitHostClient } from "./client-host.js";
import { emitMethodConstants } from "./client-methods.js";
import { emitSenders, emitServiceClients } from "./client-services.js";
import { emitPlatformClient } from "./platform.js";
import { printFile } from "../text/print.js";

/**
 * `client.ts` of every host: a constant for each method, an interface and a
 * function for each service, one of each for the host; senders of webhooks.
 * With several hosts also `client.ts` at the root, for all of them.
 */
export const clientEmitter: Emitter = {
  name: "client",
  isByHost: true,
  emit(contract, options) {
    const hosts = hostScopes(contract, options, "client").map((scope) =>
      printFile(scope.unit, "client", scope.imports, hostStatements(scope)),
    );
    const files = [emitPlatformClient(contract, options), ...hosts];
    return files.filter((file) => file !== null);
  },
};

function hostStatements(scope: HostScope): readonly Statement[] {
  const isServing = inboundServices(scope.host).length > 0;
  return [
    ...(isServing ? emitHostOptions(scope) : []),
    ...emitCredentialConstants(scope),
    ...emitMethodConstants(scope),
    ...emitServiceClients(scope),
    ...emitHostClient(scope),
    ...emitSenders(scope),
  ];
}
