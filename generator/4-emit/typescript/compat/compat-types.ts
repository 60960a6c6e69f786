import type { Message, Method } from "../../../ir/contract.js";
import { buildReexports } from "../text/build.js";
import type { HostScope } from "../calls/call-scope.js";
import { specifierOf, type Unit } from "../names/layout.js";
import { unitOfMessage, type Side } from "../validators/message-functions.js";
import { kinds } from "../text/structures.js";
import { declare, type Declared } from "../text/declare.js";
import { methodsOf } from "../types/types.js";

/**
 * All types, and those of messages whose name ridlkit had to make longer under
 * the name that webrpc's generator gives them.
 */
export function emitCompatTypes(scope: HostScope): readonly Declared[] {
  const { imports, layout, unit } = scope;
  const units = [...new Set([layout.root, unit])].filter(hasTypes);
  const all = units.map((each) =>
    buildReexports(imports, specifierOf(layout, unit, each, "types")),
  );
  return [...all, ...renamedMessages(scope)];
}

function hasTypes(unit: Unit): boolean {
  const hasOwn = ({ struct }: Message): boolean => struct === null;
  return (
    unit.types.length > 0 ||
    methodsOf(unit).some(
      ({ request, response }) => hasOwn(request) || hasOwn(response),
    )
  );
}

function renamedMessages(scope: HostScope): readonly Declared[] {
  const { host, imports, layout, unit } = scope;
  const methods = methodsOf(unit);
  const uses = (name: string): number =>
    methods.filter((method) => method.name === name).length;
  const rename = (method: Method, side: Side, ending: string): Declared[] => {
    const own = layout.names.method(method)[side];
    const wanted = method.name + ending;
    const isTaken = layout.names.imported(wanted) !== wanted;
    if (method[side].struct !== null || own === wanted || isTaken) return [];
    const owner = unitOfMessage(layout, host, method[side]);
    const from = specifierOf(layout, unit, owner, "types");
    return [
      declare(imports, {
        kind: kinds.export,
        isTypeOnly: true,
        moduleSpecifier: from,
        namedExports: [{ name: own, alias: wanted }],
      }),
    ];
  };
  return methods
    .filter(({ name }) => uses(name) === 1)
    .flatMap((method) => [
      ...rename(method, "request", "Request"),
      ...rename(method, "response", "Response"),
    ]);
}
