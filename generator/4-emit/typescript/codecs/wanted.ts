import type {
  Contract,
  Field,
  Host,
  Struct,
  TypeReference,
} from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { createLayout, type Layout } from "../names/layout.js";
import { decoderOf, encoderOf } from "../validators/message-functions.js";
import { hasPrinter, printedStruct } from "../printers/printable.js";
import { createConversions, type Conversions } from "./conversions.js";

/** Names of TypeScript types that get a decoder, a reader, an encoder or a printer. */
export interface Wanted {
  /** For servers. */
  readonly decoders: ReadonlySet<string>;
  /** For clients. */
  readonly readers: ReadonlySet<string>;
  readonly encoders: ReadonlySet<string>;
  readonly printers: ReadonlySet<string>;
}

/** For each host everything reachable from its messages that are converted. */
export const createWanted = remember(wantedOfHosts);

/** What any host wants. */
export function allWanted(wanted: ReadonlyMap<Host, Wanted>): Wanted {
  const all = [...wanted.values()];
  return {
    decoders: new Set(all.flatMap(({ decoders }) => [...decoders])),
    readers: new Set(all.flatMap(({ readers }) => [...readers])),
    encoders: new Set(all.flatMap(({ encoders }) => [...encoders])),
    printers: new Set(all.flatMap(({ printers }) => [...printers])),
  };
}

function wantedOfHosts(
  contract: Contract,
  options: EmitOptions,
): ReadonlyMap<Host, Wanted> {
  const layout = createLayout(contract, options);
  const index = createIndex(contract);
  const conversions = createConversions(contract, options);
  return new Map(
    contract.hosts.map((host) => [
      host,
      wantedOf(host, layout, index, conversions),
    ]),
  );
}

function wantedOf(
  host: Host,
  layout: Layout,
  index: ContractIndex,
  conversions: Conversions,
): Wanted {
  const decoders = new Set<string>();
  const readers = new Set<string>();
  const encoders = new Set<string>();
  const printers = new Set<string>();
  const next = (field: Field, into: Set<string>): Struct | null => {
    if (into === printers) return printedStruct(index, field);
    const struct = structIn(index, field.type);
    // Encoders copy whatever they hold, the others change what needs it.
    if (struct === null || into === encoders) return struct;
    const needs = conversions.fields(struct.fields);
    const isRead = needs.guards && needs.reads;
    return (into === readers ? isRead : needs.decodes) ? struct : null;
  };
  const visit = (name: string, fields: readonly Field[], into: Set<string>) => {
    if (into.has(name)) return;
    into.add(name);
    for (const field of fields) {
      const struct = next(field, into);
      if (struct === null) continue;
      visit(layout.names.type(struct.name), struct.fields, into);
    }
  };
  const scope = { layout, conversions, host };
  for (const method of host.services.flatMap(({ methods }) => methods)) {
    if (hasPrinter(index, method)) {
      const { response } = layout.names.method(method);
      visit(response, method.response.fields, printers);
    }
    for (const side of ["request", "response"] as const) {
      const name = layout.names.method(method)[side];
      const { fields } = method[side];
      if (decoderOf(scope, method, side) !== null) {
        visit(name, fields, side === "request" ? decoders : readers);
      }
      if (encoderOf(scope, method, side) !== null) {
        visit(name, fields, encoders);
      }
    }
  }
  return { decoders, readers, encoders, printers };
}

/** The struct that a type is, or is a list or map of; null for none. */
export function structIn(index: ContractIndex, reference: TypeReference) {
  const resolved = index.resolve(reference);
  switch (resolved.kind) {
    case "list":
      return structIn(index, resolved.element);
    case "map":
      return structIn(index, resolved.value);
    case "scalar":
      return null;
    case "reference": {
      const type = index.type(resolved.name);
      return type.kind === "struct" ? type : null;
    }
  }
}
