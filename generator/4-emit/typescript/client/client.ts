import { hostScope, type HostScope } from "../plan/file-scope.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import {
  emitCredentialConstants,
  emitCredentialsFile,
} from "./client-credentials.js";
import { emitMethodConstants } from "./client-methods.js";
import { emitSenders, emitServiceClients } from "./client-services.js";
import {
  emitHostClient,
  emitHostOptions,
  emitPlatformClient,
} from "./joint-clients.js";
import { printFile } from "../text/print.js";
import type { Structure } from "../text/structures.js";

/**
 * Writes `client.ts` for every host: a constant for each method, an interface
 * and a function for each service and for the host, and senders of webhooks.
 * With several hosts, it also writes a `client.ts` for all of them at the root,
 * and the credentials that they share.
 */
export const clientEmitter = createUnitEmitter({
  name: "client",
  needs: ["errors", "codecs"],
  emitUnit(plan, unit) {
    const scope = hostScope(plan, unit, "client");
    return [
      ...(unit === plan.root ? emitPlatformClient(plan) : []),
      ...(unit === plan.root ? emitCredentialsFile(plan) : []),
      ...(scope ? printFile(scope.imports, hostStatements(scope)) : []),
    ];
  },
});

function hostStatements(scope: HostScope): readonly Structure[] {
  const isServing = scope.host.inbound.length > 0;
  return [
    ...(isServing ? emitHostOptions(scope) : []),
    ...emitCredentialConstants(scope),
    ...emitMethodConstants(scope),
    ...emitServiceClients(scope),
    ...(isServing ? emitHostClient(scope) : []),
    ...emitSenders(scope),
  ];
}
