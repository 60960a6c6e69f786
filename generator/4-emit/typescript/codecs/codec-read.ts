import type { Field, TypeReference } from "../../../ir/contract.js";
import { emitConstant } from "../client/client-constant.js";
import { printDocs } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { quoteKey } from "../text/quote.js";
import { callOf } from "../text/shapes.js";
import type { CodecContext, CodecSubject } from "./codec-context.js";
import { structIn } from "./wanted.js";

/**
 * `readX: Read<X>` for clients: a table of the fields that have to be looked at,
 * because that is what stays small in a bundle. Each stands below those that it
 * refers to.
 */
export function readerStatements(
  context: CodecContext,
  subjects: readonly CodecSubject[],
): readonly string[] {
  const { index, layout } = context;
  const waiting = new Map(subjects.map((subject) => [subject.name, subject]));
  /** Readers that do not stand yet. */
  const missing = new Set(waiting.keys());
  const statements: string[] = [];
  const visit = (subject: CodecSubject): void => {
    if (!waiting.delete(subject.name)) return;
    for (const { type } of subject.fields) {
      const struct = structIn(index, type);
      const held = struct && waiting.get(layout.names.type(struct.name));
      if (held) visit(held);
    }
    statements.push(readerStatement({ ...context, missing }, subject));
    missing.delete(subject.name);
  };
  subjects.forEach(visit);
  return statements;
}

interface ReadContext extends CodecContext {
  readonly missing: ReadonlySet<string>;
}

function readerStatement(
  context: ReadContext,
  { name, fields }: CodecSubject,
): string {
  const { imports, unit } = context;
  const docs = [`Reads \`${name}\`; the value itself is changed.`];
  const statement = emitConstant({
    name: `read${name}`,
    type: imports.runtimeType("codec", "Read"),
    typeArguments: [imports.generatedType(unit, "types", name)],
    callee: imports.runtime("codec", "readFields"),
    path: null,
    entries: fields.flatMap((field) => {
      const read = fieldReader(context, field);
      return read === null ? [] : [[quoteKey(field.jsonName), ": ", read]];
    }),
  });
  return printDocs(docs) + statement;
}

/** What reads a field; null for what is as the server sends it. */
function fieldReader(context: ReadContext, field: Field): Doc | null {
  const { conversions, imports, index } = context;
  const leaf = conversions.leaf(field);
  const { isNullable, isOptional, type } = field;
  if (leaf === null ? conversions.reference(type).guards : leaf.decode) {
    const read =
      leaf?.decode != null
        ? imports.runtime("codec", leaf.decode)
        : readerOf(context, type);
    if (isNullable) return madeOf(context, "nullable", read);
    return isOptional ? madeOf(context, "optional", read) : read;
  }
  const resolved = index.resolve(type);
  const isOpen =
    resolved.kind === "scalar" &&
    (resolved.name === "any" || resolved.name === "null");
  // There, null is a value.
  return isNullable || isOpen ? imports.runtime("codec", "same") : null;
}

/** What reads the values of a type. */
function readerOf(context: ReadContext, reference: TypeReference): Doc {
  const { conversions, imports, index, layout, missing } = context;
  const leaf = conversions.leaf(reference);
  if (leaf?.decode != null) return imports.runtime("codec", leaf.decode);
  // Of lists and maps of such things, too.
  const { reads } = conversions.reference(reference);
  if (!reads) return imports.runtime("codec", "dropNulls");
  const resolved = index.resolve(reference);
  switch (resolved.kind) {
    case "reference": {
      const type = layout.names.type(resolved.name);
      const unit = layout.unitOfType(resolved.name);
      const name = imports.generated(unit, "codecs", `read${type}`);
      // Types may hold each other.
      return missing.has(type) ? `(value) => ${name}(value)` : name;
    }
    case "list":
      return madeOf(context, "listOf", readerOf(context, resolved.element));
    case "map":
      return madeOf(context, "recordOf", readerOf(context, resolved.value));
    case "scalar":
      return imports.runtime("codec", "same");
  }
}

/**
 * A reader made of another. Marked, because a table that is not used stays in a
 * bundle as long as something in it looks as if it did something.
 */
function madeOf({ imports }: ReadContext, maker: string, read: Doc): Doc {
  const call = callOf(imports.runtime("codec", maker), [read]);
  return ["/* @__PURE__ */ ", call];
}
