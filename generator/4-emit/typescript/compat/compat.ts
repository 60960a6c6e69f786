import { createUnitEmitter } from "../plan/unit-emitter.js";
import { createScope, hostScope, type FileScope } from "../plan/file-scope.js";
import { methodsOf } from "../../../ir/methods-of.js";
import type { MessagePlan, UnitPlan } from "../plan/plan.js";
import { specifierOf } from "../plan/layout.js";
import { buildReexport } from "../text/build.js";
import { kinds, type Structure } from "../text/structures.js";
import { printFile } from "../text/print.js";
import {
  compatNames,
  emitCompatErrors,
  emitCompatFacts,
} from "./compat-errors.js";
import { emitCompatServices } from "./compat-services.js";

/**
 * `webrpc.ts`, for `compat: webrpc`: the client under the names that webrpc's
 * own generator gives it, so that a project switches by changing an import.
 * With several hosts each has its own file, and the root has the errors.
 */
export const compatEmitter = createUnitEmitter({
  name: "compat",
  needs: ["client"],
  emitUnit(plan, unit) {
    if (plan.options.compat !== "webrpc") return [];
    const scope = hostScope(plan, unit, "webrpc");
    if (scope === null) {
      const root = createScope(plan, unit, "webrpc");
      const isUsed = plan.hosts.some(({ inbound }) => inbound.length > 0);
      return isUsed ? printFile(root.imports, emitCompatErrors(root)) : [];
    }
    if (scope.host.inbound.length === 0) return [];
    // Exported here or by the file at the root.
    for (const name of compatNames) {
      if (!scope.locals.has(name)) scope.locals.claim(name);
    }
    return printFile(scope.imports, [
      ...(unit === plan.root ? emitCompatErrors(scope) : [reexportRoot(scope)]),
      ...emitCompatFacts(scope),
      ...emitCompatTypes(scope),
      ...emitCompatServices(scope),
    ]);
  },
});

/** In the file of one of several hosts: what all of them share. */
function reexportRoot({ plan, unit }: FileScope): Structure {
  const root = specifierOf(plan.options, unit, plan.root, "webrpc");
  return buildReexport(root);
}

/**
 * All types, and those of messages whose name ridlkit had to make longer under
 * the name that webrpc's generator gives them.
 */
function emitCompatTypes(scope: FileScope): readonly Structure[] {
  const { plan, unit } = scope;
  const units = [...new Set([plan.root, unit])].filter(hasTypes);
  const all = units.map((each) =>
    buildReexport(specifierOf(plan.options, unit, each, "types")),
  );
  return [...all, ...renamedMessages(scope)];
}

function hasTypes({ messages, types }: UnitPlan): boolean {
  return types.length > 0 || messages.length > 0;
}

function renamedMessages({ plan, unit }: FileScope): readonly Structure[] {
  const methods = methodsOf(unit.host?.services ?? []);
  const uses = (name: string): number =>
    methods.filter(({ method }) => method.name === name).length;
  const rename = ({ message, object }: MessagePlan, wanted: string) => {
    const isTaken = plan.names.imported(wanted) !== wanted;
    if (message.struct !== null || object.name === wanted || isTaken) return [];
    const from = specifierOf(plan.options, unit, object.unit, "types");
    return [
      {
        kind: kinds.export,
        isTypeOnly: true,
        moduleSpecifier: from,
        namedExports: [{ name: object.name, alias: wanted }],
      },
    ];
  };
  return methods
    .filter(({ method }) => uses(method.name) === 1)
    .flatMap(({ method, request, response }) => [
      ...rename(request, `${method.name}Request`),
      ...rename(response, `${method.name}Response`),
    ]);
}
