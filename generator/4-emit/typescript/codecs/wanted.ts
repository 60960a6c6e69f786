import type {
  Contract,
  Field,
  Host,
  Method,
  Struct,
} from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { EmitOptions } from "../../emitter.js";
import { createLayout, type Layout, type Unit } from "../names/layout.js";
import {
  decoderOf,
  encoderOf,
  unitOfMessage,
  type Side,
} from "../validators/message-functions.js";
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
    unit: Unit,
    name: string,
    fields: readonly Field[],
    into: Set<string>,
  ) => {
    if (into.has(name)) return;
    into.add(name);
    const holder = conversionsOf(unit.host);
    for (const field of fields) visitStruct(field, into, holder);
  };
  const visitStruct = (
    field: Field,
    into: Set<string>,
    holder = conversions,
  ) => {
    const struct = next(field, into, holder);
    if (struct === null) return;
    const { fields, name } = struct;
    visit(layout.unitOfType(name), layout.names.type(name), fields, into);
  };
  const visitMessage = (method: Method, side: Side, into: Set<string>) => {
    const { fields } = method[side];
    const unit = unitOfMessage(layout, host, method[side]);
    visit(unit, layout.names.method(method)[side], fields, into);
  };
  const scope = { layout, conversions, host };
  for (const method of host.services.flatMap(({ methods }) => methods)) {
    const printed = printedPart(index, method);
    if (printed === "message") visitMessage(method, "response", printers);
    else if (printed !== null) visitStruct(printed, printers);
    if (decoderOf(scope, method, "request") !== null) {
      visitMessage(method, "request", decoders);
    }
    if (decoderOf(scope, method, "response") !== null) {
      if (!isReadOnce(index, host, method)) {
        visitMessage(method, "response", readers);
      } else {
        for (const field of method.response.fields) visitStruct(field, readers);
      }
    }
    for (const side of ["request", "response"] as const) {
      if (encoderOf(scope, method, side) !== null) {
        visitMessage(method, side, encoders);
      }
    }
  }
  return { decoders, readers, encoders, printers };
}
