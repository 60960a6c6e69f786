import { nameHint } from "../map/hosts.js";
import { NameScope, toPascal, toTypeName } from "../model/names.js";

/** A service and a method of a procedure, before it is mapped. */
export interface NamedProcedure {
  /** The path of the procedure, e.g. `post.byId`. */
  readonly path: string;
  readonly service: string;
  readonly method: string;
  /** The begin of the names of its types: `ById`, or `PostById`. */
  readonly hint: string;
  /** Whether another procedure has its name in RIDL. */
  readonly isRenamed: boolean;
}

/** Returns the names of the methods of procedures, by their paths. */
export function nameProcedures(
  paths: readonly string[],
  main: string,
): readonly NamedProcedure[] {
  const services = new Map<string, NameScope>();
  const hints = new NameScope();
  return paths.map((path) => {
    const names = path.split(".");
    const group = names.slice(0, -1).map(toPascal).join("");
    const service = toTypeName(group === "" ? main : group, "Service");
    const scope = services.get(service.toLowerCase()) ?? new NameScope();
    services.set(service.toLowerCase(), scope);
    const wished = toTypeName(toPascal(names.at(-1) ?? ""), "Call");
    const isReserved = /^(?:stream|proxy)$/iu.test(wished);
    const own = isReserved ? `Call${wished}` : wished;
    const isRenamed = scope.has(own);
    const method = scope.take(own);
    const hint = nameHint(method, service, hints);
    return { path, service, method, hint, isRenamed };
  });
}
