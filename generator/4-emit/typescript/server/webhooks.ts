import type { Emitter } from "../../emitter/emitter.js";
import { createPlan } from "../plan/create-plan.js";
import { printFile } from "../text/print.js";
import { emitHandler } from "./server-handlers.js";
import { serverScopes } from "./server-scope.js";
import { emitReceiver } from "./server.js";

/**
 * `webhooks.ts` of every host that calls others: of `server.ts` what receivers
 * need, for packages of clients, which have no server. Not a target of its own.
 */
export const webhooksEmitter: Emitter = {
  name: "webhooks",
  emit(contract, options) {
    const plan = createPlan(contract, options);
    return serverScopes(plan, "webhooks").flatMap((scope) => {
      const statements = scope.host.outbound.flatMap((service) => [
        emitHandler(scope, service),
        ...emitReceiver(scope, service),
      ]);
      return printFile(scope.imports, statements);
    });
  },
};
