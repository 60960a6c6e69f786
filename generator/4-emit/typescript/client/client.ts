import type { Emitter } from "../../emitter/emitter.js";
import { createPlan } from "../plan/create-plan.js";
import { hostScopes, type HostScope } from "../plan/file-scope.js";
import {
  emitCredentialConstants,
  emitCredentialsFile,
  emitHostOptions,
} from "./client-credentials.js";
import { emitHostClient } from "./client-host.js";
import { emitMethodConstants } from "./client-methods.js";
import { emitSenders, emitServiceClients } from "./client-services.js";
import { emitPlatformClient } from "./platform.js";
import { printFile } from "../text/print.js";
import type { PrintedDeclaration } from "../text/declare.js";

/**
 * `client.ts` of every host: a constant for each method, an interface and a
 * function for each service, one of each for the host; senders of webhooks.
 * With several hosts also `client.ts` at the root, for all of them, and the
 * credentials that they share.
 */
export const clientEmitter: Emitter = {
  name: "client",
  needs: ["errors", "codecs"],
  isByHost: true,
  emit(contract, options) {
    const plan = createPlan(contract, options);
    const hosts = hostScopes(plan, "client").flatMap((scope) =>
      printFile(scope.imports, hostStatements(scope)),
    );
    return [
      ...emitPlatformClient(plan),
      ...emitCredentialsFile(plan),
      ...hosts,
    ];
  },
};

function hostStatements(scope: HostScope): readonly PrintedDeclaration[] {
  const isServing = scope.host.inbound.length > 0;
  return [
    ...(isServing ? emitHostOptions(scope) : []),
    ...emitCredentialConstants(scope),
    ...emitMethodConstants(scope),
    ...emitServiceClients(scope),
    ...emitHostClient(scope),
    ...emitSenders(scope),
  ];
}
