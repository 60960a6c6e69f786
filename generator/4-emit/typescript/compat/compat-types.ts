import type { FileScope } from "../plan/file-scope.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { specifierOf } from "../plan/layout.js";
import type { MessagePlan, UnitPlan } from "../plan/plan.js";
import { buildReexport } from "../text/build.js";
import { kinds } from "../text/structures.js";
import type { Structure } from "../text/structures.js";

/**
 * All types, and those of messages whose name ridlkit had to make longer under
 * the name that webrpc's generator gives them.
 */
export function emitCompatTypes(scope: FileScope): readonly Structure[] {
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
