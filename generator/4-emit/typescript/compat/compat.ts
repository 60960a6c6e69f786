import type { Emitter } from "../../emitter/emitter.js";
import { createPlan } from "../plan/create-plan.js";
import { createScope, hostScopes, type FileScope } from "../plan/file-scope.js";
import { specifierOf } from "../plan/layout.js";
import { buildReexports } from "../text/build.js";
import type { PrintedDeclaration } from "../text/declare.js";
import { printFile } from "../text/print.js";
import { emitCompatErrors, emitCompatFacts } from "./compat-errors.js";
import { emitCompatServices } from "./compat-services.js";
import { emitCompatTypes } from "./compat-types.js";

/**
 * `webrpc.ts`, for `compat: webrpc`: the client under the names that webrpc's
 * own generator gives it, so that a project switches by changing an import.
 * With several hosts each has its own file, and the root has the errors.
 */
export const compatEmitter: Emitter = {
  name: "compat",
  needs: ["client"],
  emit(contract, options) {
    if (options.compat !== "webrpc") return [];
    const plan = createPlan(contract, options);
    const scopes = hostScopes(plan, "webrpc").filter(
      ({ host }) => host.inbound.length > 0,
    );
    if (scopes.length === 0) return [];
    const hosts = scopes.flatMap((scope) => {
      const isRoot = scope.unit.folder === "";
      return printFile(scope.imports, [
        ...(isRoot ? emitCompatErrors(scope) : [reexportRoot(scope)]),
        ...emitCompatFacts(scope),
        ...emitCompatTypes(scope),
        ...emitCompatServices(scope),
      ]);
    });
    if (plan.root.host !== null) return hosts;
    const root = createScope(plan, plan.root, "webrpc");
    return [...printFile(root.imports, emitCompatErrors(root)), ...hosts];
  },
};

/** In the file of one of several hosts: what all of them share. */
function reexportRoot({ imports, plan, unit }: FileScope): PrintedDeclaration {
  const root = specifierOf(plan.options, unit, plan.root, "webrpc");
  return buildReexports(imports, root);
}
