import type { Field, TypeReference } from "../../../ir/contract.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import type { Emitter } from "../../emitter.js";
import { buildText, type Statement } from "../text/build.js";
import type { CodecContext, CodecSubject } from "./codec-context.js";
import { decoderStatement } from "./codec-decode.js";
import { encoderStatement } from "./codec-encode.js";
import { createConversions, type Conversions } from "./conversions.js";
import { createLayout, type Layout, type Unit } from "../names/layout.js";
import { decoderOf, encoderOf } from "../validators/message-functions.js";
import { printFile } from "../text/print.js";
import { createTypeContext } from "../types/type-text.js";

/**
 * `codecs.ts`: conversion between the wire and TypeScript, for messages in
 * which something has two forms, and copies of what servers may answer.
 */
export const codecsEmitter: Emitter = {
  name: "codecs",
  emit(contract, options) {
    const layout = createLayout(contract, options);
    const index = createIndex(contract);
    const conversions = createConversions(contract, options);
    const wanted = wantedOf(layout, index, conversions);
    return layout.units.flatMap((unit) => {
      const types = createTypeContext(layout, unit, "codecs", index);
      const context = { ...types, unit, conversions };
      const statements = subjectsOf(layout, unit).flatMap((subject) =>
        statementsOf(context, subject, wanted),
      );
      return printFile(unit, "codecs", context.imports, statements) ?? [];
    });
  },
};

/** Names of TypeScript types that get a decoder or an encoder. */
interface Wanted {
  readonly decoders: ReadonlySet<string>;
  readonly encoders: ReadonlySet<string>;
}

function statementsOf(
  context: CodecContext,
  subject: CodecSubject,
  wanted: Wanted,
): readonly Statement[] {
  const { name } = subject;
  const statements: Statement[] = [];
  if (wanted.decoders.has(name)) {
    const docs = [`Reads \`${name}\`; the value itself is changed.`];
    statements.push(buildText(docs, decoderStatement(context, subject)));
  }
  if (wanted.encoders.has(name)) {
    const docs = [`Writes \`${name}\` as a copy.`];
    statements.push(buildText(docs, encoderStatement(context, subject)));
  }
  return statements;
}

/** All structs of a unit, and the messages of its methods that list arguments. */
function subjectsOf(layout: Layout, unit: Unit): readonly CodecSubject[] {
  const { names } = layout;
  const structs = unit.types.flatMap((type) =>
    type.kind === "struct"
      ? { name: names.type(type.name), fields: type.fields }
      : [],
  );
  const services = unit.host?.services ?? [];
  const messages = services.flatMap((service) =>
    service.methods.flatMap((method) =>
      (["request", "response"] as const).flatMap((side) =>
        method[side].struct === null
          ? { name: names.method(method)[side], fields: method[side].fields }
          : [],
      ),
    ),
  );
  return [...structs, ...messages];
}

/** Everything reachable from messages that are converted. */
function wantedOf(
  layout: Layout,
  index: ContractIndex,
  conversions: Conversions,
): Wanted {
  const decoders = new Set<string>();
  const encoders = new Set<string>();
  const visit = (name: string, fields: readonly Field[], into: Set<string>) => {
    if (into.has(name)) return;
    into.add(name);
    for (const field of fields) {
      const struct = structIn(index, field.type);
      if (struct === null) continue;
      // Encoders copy whatever they hold, decoders change what needs it.
      const isWanted =
        into === encoders || conversions.fields(struct.fields).guards;
      if (isWanted) visit(layout.names.type(struct.name), struct.fields, into);
    }
  };
  for (const host of layout.contract.hosts) {
    for (const method of host.services.flatMap(({ methods }) => methods)) {
      for (const side of ["request", "response"] as const) {
        const name = layout.names.method(method)[side];
        const { fields } = method[side];
        if (decoderOf(layout, conversions, host, method, side) !== null) {
          visit(name, fields, decoders);
        }
        if (encoderOf(layout, conversions, host, method, side) !== null) {
          visit(name, fields, encoders);
        }
      }
    }
  }
  return { decoders, encoders };
}

/** The struct that a type is, or is a list or map of; null for none. */
function structIn(index: ContractIndex, reference: TypeReference) {
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
