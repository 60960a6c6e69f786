import type { Host, Method } from "../../../ir/contract.js";
import type { Emitter } from "../../emitter.js";
import { inboundServices } from "../calls/call-scope.js";
import { buildReexports } from "../text/build.js";
import { Imports } from "../text/imports.js";
import {
  createLayout,
  specifierOf,
  type FileName,
  type Layout,
  type Unit,
} from "../names/layout.js";
import { printFile } from "../text/print.js";
import { methodsOf } from "../types/types.js";

/**
 * `index.ts` of every unit: what users of a client need (types, errors,
 * client). Servers and validators are imported from their own files, so that
 * no client's bundle holds them.
 */
export const indexEmitter: Emitter = {
  name: "index",
  isByHost: true,
  emit(contract, options) {
    const layout = createLayout(contract, options);
    return layout.units.flatMap((unit) => {
      const imports = new Imports(layout, unit, "index");
      const from = [...ownFiles(layout, unit), ...hostIndexes(layout, unit)];
      const statements =
        from.length === 0 ? [] : [buildReexports(imports, ...from)];
      return printFile(imports, statements);
    });
  },
};

/** The unit's own files that are written, as import specifiers. */
function ownFiles(layout: Layout, unit: Unit): readonly string[] {
  const methods = methodsOf(unit);
  const isRoot = unit === layout.root;
  const files: readonly (readonly [FileName, boolean])[] = [
    ["types", unit.types.length > 0 || methods.some(hasOwnMessage)],
    ["errors", isRoot || methods.length > 0],
    ["client", methods.length > 0 || (isRoot && hasPlatform(layout))],
  ];
  return files
    .filter(([, isWritten]) => isWritten)
    .map(([file]) => specifierOf(layout, unit, unit, file));
}

/** At the root of several hosts: the index of each host. */
function hostIndexes(layout: Layout, unit: Unit): readonly string[] {
  if (unit !== layout.root) return [];
  return layout.units
    .filter((other) => other !== unit && indexIsWritten(other))
    .map((other) => specifierOf(layout, unit, other, "index"));
}

function indexIsWritten(unit: Unit): boolean {
  return unit.types.length > 0 || methodsOf(unit).length > 0;
}

function hasOwnMessage({ request, response }: Method): boolean {
  return request.struct === null || response.struct === null;
}

function hasPlatform({ contract: { hosts } }: Layout): boolean {
  const answers = (host: Host): boolean => inboundServices(host).length > 0;
  return hosts.length > 1 && hosts.some(answers);
}
