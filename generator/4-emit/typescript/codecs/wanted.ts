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
  return new Map(
    contract.hosts.map((host) => [host, wantedOf(contract, options, host)]),
  );
}

function wantedOf(
  contract: Contract,
  options: EmitOptions,
  host: Host,
): Wanted {
  const layout = createLayout(contract, options);
  const index = createIndex(contract);
  const conversions = createConversions(contract, options, host);
  const scope = { layout, conversions, host };
  const reached = new Reached(contract, options, host);
  for (const method of host.services.flatMap(({ methods }) => methods)) {
    const printed = printedPart(index, method);
    if (printed === "message") {
      reached.addMessage("printers", method, "response");
    } else if (printed !== null) {
      reached.addHeld("printers", [printed], conversions);
    }
    if (decoderOf(scope, method, "request") !== null) {
      reached.addMessage("decoders", method, "request");
    }
    if (decoderOf(scope, method, "response") !== null) {
      if (isReadOnce(index, host, method)) {
        reached.addHeld("readers", method.response.fields, conversions);
      } else reached.addMessage("readers", method, "response");
    }
    for (const side of ["request", "response"] as const) {
      if (encoderOf(scope, method, side) !== null) {
        reached.addMessage("encoders", method, side);
      }
    }
  }
  return reached;
}

/** Whether something is wanted for a struct, by the file of what holds it. */
const isWanted: Readonly<
  Record<
    keyof Wanted,
    (holder: Conversions, fields: Struct["fields"]) => boolean
  >
> = {
  decoders: (holder, fields) => holder.fields(fields).decodes,
  readers: (holder, fields) => {
    const { guards, reads } = holder.fields(fields);
    return guards && reads;
  },
  encoders: (holder, fields) => holder.fields(fields).encodes,
  printers: () => true,
};

/** What is reached from the messages of a host that were added. */
class Reached implements Wanted {
  readonly decoders = new Set<string>();
  readonly readers = new Set<string>();
  readonly encoders = new Set<string>();
  readonly printers = new Set<string>();
  readonly #layout: Layout;
  readonly #index: ContractIndex;
  readonly #host: Host;
  /** Those that the files of a unit are written with. */
  readonly #conversionsOf: (unit: Unit) => Conversions;

  constructor(contract: Contract, options: EmitOptions, host: Host) {
    this.#layout = createLayout(contract, options);
    this.#index = createIndex(contract);
    this.#host = host;
    this.#conversionsOf = (unit) =>
      createConversions(contract, options, unit.host);
  }

  /** A message, and the structs in it. */
  addMessage(kind: keyof Wanted, method: Method, side: Side): void {
    const message = method[side];
    const unit = unitOfMessage(this.#layout, this.#host, message);
    const name = this.#layout.names.method(method)[side];
    if (this[kind].has(name)) return;
    this[kind].add(name);
    this.addHeld(kind, message.fields, this.#conversionsOf(unit));
  }

  /** The structs that fields hold. Input: conversions of the file of the fields. */
  addHeld(
    kind: keyof Wanted,
    fields: readonly Field[],
    holder: Conversions,
  ): void {
    // A loop, not recursion: structs may hold others at length.
    const waiting = [{ fields, holder }];
    for (const each of waiting) {
      for (const { type } of each.fields) {
        const struct = structIn(this.#index, type);
        if (struct === null) continue;
        const name = this.#layout.names.type(struct.name);
        if (this[kind].has(name)) continue;
        if (!isWanted[kind](each.holder, struct.fields)) continue;
        this[kind].add(name);
        const unit = this.#layout.unitOfType(struct.name);
        const { fields: held } = struct;
        waiting.push({ fields: held, holder: this.#conversionsOf(unit) });
      }
    }
  }
}
