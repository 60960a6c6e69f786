import { createUnitEmitter } from "../plan/unit-emitter.js";
import { printFile } from "../text/print.js";
import { emitHandler } from "./server-handlers.js";
import { serverScope } from "./server-scope.js";
import { emitReceiver } from "./server.js";

/**
 * `webhooks.ts` of every host that calls others: of `server.ts` what receivers
 * need, for packages of clients, which have no server. Not a target of its own.
 */
export const webhooksEmitter = createUnitEmitter({
  name: "webhooks",
  emitUnit(plan, unit) {
    const scope = serverScope(plan, unit, "webhooks");
    if (scope === null) return [];
    const statements = scope.host.outbound.flatMap((service) => [
      emitHandler(scope, service),
      ...emitReceiver(scope, service),
    ]);
    return printFile(scope.imports, statements);
  },
});
