import type { Contract, Field, Host, Struct } from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { createLayout, type Layout } from "../names/layout.js";
import { decoderOf, encoderOf } from "../validators/message-functions.js";
import { printedPart } from "../printers/printable.js";
import { isReadOnce } from "./read-once.js";
import { createConversions, type Conversions } from "./conversions.js";
import { structIn } from "./struct-in.js";

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
  return new Map(
    contract.hosts.map((host) => [
      host,
      wantedOf(host, layout, index, (owner) =>
        createConversions(contract, options, owner),
      ),
    ]),
  );
}

function wantedOf(
  host: Host,
  layout: Layout,
  index: ContractIndex,
  conversionsOf: (owner: Host | null) => Conversions,
): Wanted {
  const conversions = conversionsOf(host);
  const decoders = new Set<string>();
  const readers = new Set<string>();
  const encoders = new Set<string>();
  const printers = new Set<string>();
  /** By the conversions of the file that has the holder of the field. */
  const next = (
    field: Field,
    into: Set<string>,
    holder: Conversions,
  ): Struct | null => {
    const struct = structIn(index, field.type);
    if (struct === null || into === printers) return struct;
    const needs = holder.fields(struct.fields);
    if (into === decoders) return needs.decodes ? struct : null;
    if (into === encoders) return needs.encodes ? struct : null;
    return needs.guards && needs.reads ? struct : null;
  };
  const visit = (
    name: string,
    fields: readonly Field[],
    into: Set<string>,
    holder = conversions,
  ) => {
    if (into.has(name)) return;
    into.add(name);
    for (const field of fields) visitStruct(field, into, holder);
  };
  const visitStruct = (
    field: Field,
    into: Set<string>,
    holder = conversions,
  ) => {
    const struct = next(field, into, holder);
    if (struct === null) return;
    const owner = conversionsOf(layout.unitOfType(struct.name).host);
    visit(layout.names.type(struct.name), struct.fields, into, owner);
  };
  const scope = { layout, conversions, host };
  for (const method of host.services.flatMap(({ methods }) => methods)) {
    const printed = printedPart(index, method);
    if (printed === "message") {
      const { response } = layout.names.method(method);
      visit(response, method.response.fields, printers);
    } else if (printed !== null) visitStruct(printed, printers);
    for (const side of ["request", "response"] as const) {
      const name = layout.names.method(method)[side];
      const { fields } = method[side];
      if (decoderOf(scope, method, side) !== null) {
        if (side === "request") visit(name, fields, decoders);
        else if (!isReadOnce(index, host, method)) visit(name, fields, readers);
        else for (const field of fields) visitStruct(field, readers);
      }
      if (encoderOf(scope, method, side) !== null) {
        visit(name, fields, encoders);
      }
    }
  }
  return { decoders, readers, encoders, printers };
}
