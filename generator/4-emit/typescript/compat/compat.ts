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
 * Writes `webrpc.ts` for `compat`: a client that uses the same names as
 * the client of webrpc's own generator, so that a project can switch by
 * changing an import.
 */
export const compatEmitter = createUnitEmitter({
  name: "compat",
  summary: "A client with the same names as webrpc's own, in `webrpc.ts`.",
  guide: "switching-from-webrpc.md",
  packaged: { entry: "webrpc", content: "a client with webrpc's names" },
  implies: { nullAsEmpty: true },
  needs: ["client"],
  emitUnit(plan, unit) {
    const scope = hostScope(plan, unit, "webrpc");
    if (scope === null) {
      const root = createScope(plan, unit, "webrpc");
      const isUsed = plan.hosts.some(({ inbound }) => inbound.length > 0);
      return isUsed ? printFile(root.imports, emitCompatErrors(root)) : [];
    }
    if (scope.host.inbound.length === 0) return [];
    // This file or the one at the root exports these names.
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

/** Re-exports the declarations that several hosts share. */
function reexportRoot({ plan, unit }: FileScope): Structure {
  const root = specifierOf(plan.options, unit, plan.root, "webrpc");
  return buildReexport(root);
}

/** Re-exports all types, also under the names that webrpc gives them. */
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
