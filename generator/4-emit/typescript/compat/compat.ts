import type { Emitter } from "../../emitter.js";
import { buildReexports } from "../text/build.js";
import {
  createScope,
  hostScopes,
  inboundServices,
  type CallScope,
} from "../calls/call-scope.js";
import { emitCompatErrors, emitCompatFacts } from "./compat-errors.js";
import { emitCompatServices } from "./compat-services.js";
import { emitCompatTypes } from "./compat-types.js";
import { createLayout, specifierOf } from "../names/layout.js";
import { printFile } from "../text/print.js";
import type { Declared } from "../text/declare.js";

/**
 * `webrpc.ts`, for `compat: webrpc`: the client under the names that webrpc's
 * own generator gives it, so that a project switches by changing an import.
 * With several hosts each has its own file, and the root has the errors.
 */
export const compatEmitter: Emitter = {
  name: "compat",
  emit(contract, options) {
    if (options.compat !== "webrpc") return [];
    const layout = createLayout(contract, options);
    const scopes = hostScopes(contract, options, "webrpc").filter(
      ({ host }) => inboundServices(host).length > 0,
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
    if (layout.root.host !== null) return hosts;
    const root = createScope(layout, layout.root, "webrpc");
    return [...printFile(root.imports, emitCompatErrors(root)), ...hosts];
  },
};

/** In the file of one of several hosts: what all of them share. */
function reexportRoot({ imports, layout, unit }: CallScope): Declared {
  return buildReexports(
    imports,
    specifierOf(layout, unit, layout.root, "webrpc"),
  );
}
