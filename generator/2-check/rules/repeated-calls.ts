import type {
  Annotation,
  Message,
  Method,
  TypeExpression,
} from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { ScalarName } from "../../ir/contract.js";
import { isIntegerName } from "../../ir/scalars.js";
import { findAnnotation, resumeOf } from "../notation/annotations.js";
import { isExtra, metadataValue } from "../notation/metadata.js";
import { bindingOf, verbOf } from "../notation/rest-binding.js";
import { structUnionOf } from "../notation/unions.js";
import { fieldsOf } from "../program/messages.js";
import type { Program } from "../program/program.js";
import { isNullableType, resolveType } from "../program/resolve-type.js";
import {
  namedOnWire,
  wireFieldsOf,
  type WireField,
} from "../program/rest-methods.js";
import { didYouMean } from "../report/did-you-mean.js";
import { inNodes, type NodeFinding } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** The member of the last line of a stream that failed. */
const errorMember = "webrpcError";

/**
 * Rules about calls that clients repeat (`@idempotencyKey` and `@resume`), and about
 * streams.
 */
export const repeatedCallRules = {
  "invalid-idempotency-key": inNodes(
    ["methods"],
    ({ syntax, document }, program) => {
      const annotation = findAnnotation(syntax, "idempotencyKey");
      if (annotation === undefined) return false;
      const { value } = annotation;
      if (value !== undefined && value.text !== "optional") {
        const message = "`@idempotencyKey` can only be `optional`";
        const help =
          "write `@idempotencyKey`, or `@idempotencyKey:optional` if calls can lack a key";
        const hint = didYouMean(value.text, ["optional"]);
        return { at: value, message, help, ...hint };
      }
      const isOptional = value !== undefined;
      const fault = findKeyFault(syntax, document, program, isOptional);
      return fault !== null && { at: annotation, ...fault };
    },
  ),

  "invalid-resume": inNodes(["methods"], ({ syntax, document }, program) => {
    const annotation = findAnnotation(syntax, "resume");
    if (annotation === undefined) return false;
    const fault = findResumeFault(annotation, syntax, document, program);
    return fault !== null && { at: annotation.value ?? annotation, ...fault };
  }),

  "reserved-member": inNodes(["methods"], ({ syntax, document }, program) => {
    const { name, output } = syntax;
    if (!output.isStream || bindingOf(syntax) !== null) return false;
    const items = wireFieldsOf(program, document, output);
    const field = items.find(({ jsonName }) => jsonName === errorMember);
    return (
      field !== undefined && {
        at: name,
        message: `the items of \`${name.text}\` have a member \`${errorMember}\``,
        related: [{ at: field.syntax.name, label: "it is declared here" }],
        notes: [
          "clients take a line with this member for the error of the stream",
        ],
        help: `rename \`${field.syntax.name.text}\`, or give it another name on the wire with \`+ json\``,
      }
    );
  }),
} satisfies CheckRules;

/** Why an annotation does not fit its method. */
type AnnotationFault = Omit<NodeFinding, "at">;

/**
 * Returns why the calls of a method cannot have a key. Clients that send no keys
 * can repeat calls of a method that is idempotent and has an optional key.
 */
function findKeyFault(
  method: Method,
  document: LoadedDocument,
  program: Program,
  isOptional: boolean,
): AnnotationFault | null {
  const name = `\`${method.name.text}\``;
  const help = "remove `@idempotencyKey`";
  if (findAnnotation(method, "webhook")) {
    const notes = ["receivers can recognize a message by its `webhook-id`"];
    const message = `${name} is a webhook, which cannot have an idempotency key`;
    return { message, notes, help };
  }
  const idempotent = isOptional ? null : findAnnotation(method, "idempotent");
  const safe = findAnnotation(method, "readonly") ?? idempotent;
  if (safe) {
    return {
      message: `${name} is \`@${safe.name.text}\`, so its calls need no key`,
      related: [{ at: safe, label: "calls can be repeated because of this" }],
      help: idempotent
        ? "remove one of the annotations, or write `@idempotencyKey:optional`"
        : "remove one of the annotations",
    };
  }
  const binding = bindingOf(method);
  const verb = binding === null ? "POST" : verbOf(binding);
  if (binding !== null && verb !== "POST" && verb !== "PATCH") {
    return {
      message: `${name} is a ${verb} method, so its calls need no key`,
      related: [{ at: binding.annotation, label: `${verb} can be repeated` }],
      help,
    };
  }
  if (method.output.isStream) {
    const message = `${name} streams its response, which cannot be repeated`;
    return { message, help };
  }
  const hasFile = [method.input, method.output].some((each) =>
    containsFile(each, document, program),
  );
  if (!hasFile) return null;
  const message = `${name} transfers a file, which cannot be compared or repeated`;
  return { message, help: "send the file in another call" };
}

function containsFile(
  message: Message,
  document: LoadedDocument,
  program: Program,
): boolean {
  return (
    message.succinct?.text === "file" ||
    fieldsOf(program, document, message).some(({ syntax: { type } }) =>
      isFile(type.kind === "list" ? type.element : type),
    )
  );
}

function isFile(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "file";
}

/** Returns why clients cannot resume the streams of a method, or null. */
function findResumeFault(
  annotation: Annotation,
  method: Method,
  document: LoadedDocument,
  program: Program,
): AnnotationFault | null {
  const { input, name, output } = method;
  if (!output.isStream) {
    return {
      message: `\`${name.text}\` does not stream its response, so it cannot be resumed`,
      help: "remove `@resume`",
    };
  }
  const parts = resumeOf(annotation);
  if (parts === null) {
    return {
      message: "`@resume` does not name an argument and a field of the items",
      help: 'write `@resume:"after=message.id"` if `after` takes the `message.id` of the last item',
    };
  }
  const { argument } = parts;
  const fields = wireFieldsOf(program, document, input);
  const field = fields.find((each) => each.jsonName === argument);
  if (field === undefined || isExtra(field.syntax)) {
    const message = `the request of \`${name.text}\` has no field \`${argument}\``;
    return { message, ...didYouMean(argument, namesOf(fields)) };
  }
  if (!field.syntax.isOptional) {
    return {
      message: `\`${argument}\` is required, but the first request has no cursor`,
      help: `make it optional: \`${argument}?\``,
    };
  }
  const items = wireFieldsOf(program, document, output);
  const found = findCursor(parts.cursor, items, method, program);
  if ("message" in found) return found;
  return compareTypes(argument, field, parts.cursor.join("."), found, program);
}

/** Returns the field of items that is the cursor, or why there is none. */
function findCursor(
  path: readonly string[],
  items: readonly WireField[],
  { name }: Method,
  program: Program,
): WireField | AnnotationFault {
  let fields = items;
  let cursor: WireField | undefined;
  for (const [depth, part] of path.entries()) {
    const text = path.slice(0, depth + 1).join(".");
    if (cursor !== undefined) {
      const inner = fieldsIn(cursor, program);
      if (inner === null) {
        const holder = path.slice(0, depth).join(".");
        const message = `\`${holder}\` is not a struct, so it has no field \`${part}\``;
        return { message, help: "put the cursor next to it" };
      }
      fields = inner;
    }
    cursor = fields.find(({ jsonName }) => jsonName === part);
    if (cursor === undefined || isExtra(cursor.syntax)) {
      return {
        message: `the items of \`${name.text}\` have no field \`${text}\``,
        ...didYouMean(part, namesOf(fields)),
      };
    }
    if (mayBeAbsent(cursor, program)) {
      return {
        message: `\`${text}\` can be absent, so items may have no cursor`,
        help: "choose a field that every item has",
      };
    }
  }
  return cursor ?? { message: "the path of the cursor is empty" };
}

/** Returns the fields of a field's struct, or null if it is not a struct. */
function fieldsIn(
  { document, syntax }: WireField,
  program: Program,
): readonly WireField[] | null {
  const type = resolveType(program, document, syntax.type);
  if (type?.kind !== "struct") return null;
  const { document: own, syntax: struct } = type.declared;
  if (struct.kind !== "struct") return null;
  if (structUnionOf(struct) !== null) return null;
  const { fields } = struct;
  return namedOnWire(fields.map((syntax) => ({ syntax, document: own })));
}

function mayBeAbsent(
  { document, syntax }: WireField,
  program: Program,
): boolean {
  return (
    syntax.isOptional ||
    metadataValue(syntax, "nullable") === "true" ||
    isNullableType(program, document, syntax.type)
  );
}

function compareTypes(
  argument: string,
  field: WireField,
  path: string,
  cursor: WireField,
  program: Program,
): AnnotationFault | null {
  const [asked, given] = [field, cursor].map(({ document, syntax }) =>
    resolveType(program, document, syntax.type),
  );
  if (asked == null || given == null) return null;
  if (given.kind !== "scalar" || !isCursor(given.name)) {
    return {
      message: `\`${path}\` cannot be a cursor`,
      notes: ["a cursor must be an integer, a `bigint`, or a `string`"],
      help: "add a field that identifies the position of an item in the stream",
    };
  }
  if (asked.kind === "scalar" && asked.name === given.name) return null;
  return {
    message: `\`${argument}\` does not have the type of \`${path}\`, \`${given.name}\``,
    help: `write \`${argument}?: ${given.name}\``,
  };
}

/** Whether values identify a position. Two items can have the same time. */
function isCursor(name: ScalarName): boolean {
  return isIntegerName(name) || name === "bigint" || name === "string";
}

function namesOf(fields: readonly WireField[]): readonly string[] {
  return fields.map(({ jsonName }) => jsonName);
}
