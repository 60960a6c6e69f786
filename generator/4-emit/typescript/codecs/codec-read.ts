import type { Field, TypeReference } from "../../../ir/contract.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import {
  callOf,
  callWithArrow,
  genericOf,
  keyedOf,
  pureCallOf,
} from "../text/shapes.js";
import type { Declared } from "../text/declare.js";
import type { TypeContext } from "../types/type-text.js";
import type { CodecContext, CodecSubject } from "./codec-context.js";
import { structIn } from "./struct-in.js";

/**
 * `readX: Read<X>` for clients: a table of the fields that have to be looked at,
 * because that is what stays small in a bundle. Each stands below those that it
 * refers to.
 */
export function readerStatements(
  context: CodecContext,
  subjects: readonly CodecSubject[],
): readonly Declared[] {
  const { index, layout } = context;
  const waiting = new Map(subjects.map((subject) => [subject.name, subject]));
  /** Readers that do not stand yet. */
  const missing = new Set(waiting.keys());
  const statements: Declared[] = [];
  const waitingIn = ({ fields }: CodecSubject): CodecSubject | null => {
    for (const { type } of fields) {
      const struct = structIn(index, type);
      const held = struct && waiting.get(layout.names.type(struct.name));
      if (held) return held;
    }
    return null;
  };
  // A path of our own, not recursion: structs may hold others at length.
  const path: CodecSubject[] = [];
  const enter = (subject: CodecSubject): void => {
    if (waiting.delete(subject.name)) path.push(subject);
  };
  for (const each of subjects) {
    enter(each);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const held = waitingIn(last);
      if (held !== null) enter(held);
      else {
        path.pop();
        statements.push(readerStatement({ ...context, missing }, last));
        missing.delete(last.name);
      }
    }
  }
  return statements;
}

interface ReadContext extends CodecContext {
  readonly missing: ReadonlySet<string>;
}

function readerStatement(
  context: ReadContext,
  { name, fields }: CodecSubject,
): Declared {
  const { imports, unit } = context;
  const docs = [`Reads \`${name}\`; the value itself is changed.`];
  const type = imports.generatedType(unit, "types", name);
  const callee = imports.runtime("codec", "readFields");
  return buildConstant(
    imports,
    docs,
    `read${name}`,
    genericOf(imports.runtimeType("codec", "Read"), [type]),
    pureCallOf(callee, [], readerEntries(context, fields)),
  );
}

/** The same in place, for a message that only one method of a host reads. */
export function messageReader(
  context: TypeContext & Pick<CodecContext, "conversions">,
  fields: readonly Field[],
): Doc {
  const { imports } = context;
  const entries = readerEntries({ ...context, missing: new Set() }, fields);
  return pureCallOf(imports.runtime("codec", "readFields"), [], entries);
}

type FieldContext = Omit<ReadContext, "unit">;

function readerEntries(
  context: FieldContext,
  fields: readonly Field[],
): readonly Doc[] {
  return fields.flatMap((field) => {
    const read = fieldReader(context, field);
    if (read === null) return [];
    return [keyedOf(field.jsonName, (key) => [`${key}: `, read])];
  });
}

/** What reads a field; null for what is as the server sends it, but for null. */
function fieldReader(context: FieldContext, field: Field): Doc | null {
  const { conversions, imports, index } = context;
  const { isNullable, isOptional, type } = field;
  const conversion = conversions.leaf(field);
  const leaf = conversion?.read ?? null;
  const held = conversion === null ? conversions.reference(type) : null;
  if (leaf === null && !held?.reads && !isNullable) return null;
  // Nothing in it has to be looked at.
  const isPlain = leaf === null && !held?.guards;
  const read = isPlain
    ? imports.runtime("codec", "same")
    : leaf === null
      ? readerOf(context, type)
      : imports.runtime("codec", leaf);
  const isOpen = isPlain && index.resolve(type).kind === "scalar";
  if (isNullable || isOpen)
    return isPlain ? codeOf(read) : madeOf(context, "nullable", read);
  return isOptional || isPlain
    ? madeOf(context, "optional", read)
    : codeOf(read);
}

/** A reader, or the name of one that stands only below. */
type Reader = Doc | { readonly kind: "below"; readonly name: string };

/** What reads the values of a type. */
function readerOf(context: FieldContext, reference: TypeReference): Reader {
  const { conversions, imports, index, layout, missing } = context;
  const leaf = conversions.leaf(reference);
  if (leaf?.read != null) return imports.runtime("codec", leaf.read);
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
      return missing.has(type) ? { kind: "below", name } : name;
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
function madeOf({ imports }: FieldContext, maker: string, read: Reader): Doc {
  const callee = imports.runtime("codec", maker);
  const call = isBelow(read)
    ? callWithArrow(callee, [], "value", `${read.name}(value)`)
    : callOf(callee, [read]);
  return ["/* @__PURE__ */ ", call];
}

function codeOf(read: Reader): Doc {
  return isBelow(read) ? `(value) => ${read.name}(value)` : read;
}

function isBelow(read: Reader): read is Exclude<Reader, Doc> {
  return typeof read === "object" && "kind" in read && read.kind === "below";
}
