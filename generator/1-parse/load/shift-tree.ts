import type { Span } from "../../source/source.js";
import type {
  Annotation,
  Field,
  Item,
  Message,
  Metadata,
  Method,
  TypeExpression,
  Word,
} from "../ast.js";

/**
 * Shifts all spans of an item by `delta` characters, in place. The item must
 * have been parsed without errors, because several nodes may share a span after
 * an error.
 */
export function shiftItem(item: Item, delta: number): void {
  shift(item, delta);
  switch (item.kind) {
    case "header":
      shift(item.key, delta);
      return shift(item.value, delta);
    case "import":
      shift(item.path, delta);
      return shiftAll(item.members, delta);
    case "error":
      shiftHead(item, delta);
      shift(item.code, delta);
      shift(item.message, delta);
      if (item.status !== undefined) shift(item.status, delta);
      return;
    case "enum":
      shiftHead(item, delta);
      shift(item.base, delta);
      for (const { name, span, value } of item.members) {
        shift({ span }, delta);
        shift(name, delta);
        if (value !== undefined) shift(value, delta);
      }
      return;
    case "alias":
      shiftHead(item, delta);
      shiftType(item.type, delta);
      return shiftMetadata(item.metadata, delta);
    case "struct":
      shiftHead(item, delta);
      for (const field of item.fields) shiftField(field, delta);
      return;
    case "service":
      shiftHead(item, delta);
      for (const method of item.methods) shiftMethod(method, delta);
  }
}

/** Shifts the span of a node, but not the spans of its children. */
export function shift(node: { readonly span: Span }, delta: number): void {
  const span: { start: number; end: number } = node.span;
  span.start += delta;
  span.end += delta;
}

function shiftAll(
  nodes: readonly { readonly span: Span }[],
  delta: number,
): void {
  for (const node of nodes) shift(node, delta);
}

function shiftHead(
  {
    annotations,
    name,
  }: { readonly annotations: readonly Annotation[]; readonly name: Word },
  delta: number,
): void {
  shift(name, delta);
  for (const annotation of annotations) {
    shift(annotation, delta);
    shift(annotation.name, delta);
    if (annotation.value !== undefined) shift(annotation.value, delta);
  }
}

function shiftField(field: Field, delta: number): void {
  shift(field, delta);
  shiftHead(field, delta);
  shiftType(field.type, delta);
  shiftMetadata(field.metadata, delta);
}

function shiftMetadata(metadata: readonly Metadata[], delta: number): void {
  for (const { key, span, value, variants = [] } of metadata) {
    shift({ span }, delta);
    shift(key, delta);
    shift(value, delta);
    for (const { span, type, values } of variants) {
      shift({ span }, delta);
      shiftAll(values, delta);
      shiftType(type, delta);
    }
  }
}

function shiftMethod(method: Method, delta: number): void {
  shift(method, delta);
  shiftHead(method, delta);
  shiftMessage(method.input, delta);
  // Both messages of a proxy are the same object.
  if (method.output !== method.input) shiftMessage(method.output, delta);
  shiftAll(method.errors ?? [], delta);
}

function shiftMessage(message: Message, delta: number): void {
  shift(message, delta);
  if (message.succinct !== undefined) shift(message.succinct, delta);
  for (const argument of message.arguments) {
    shift(argument, delta);
    shift(argument.name, delta);
    shiftType(argument.type, delta);
  }
}

function shiftType(type: TypeExpression, delta: number): void {
  shift(type, delta);
  switch (type.kind) {
    case "name":
      // The two spans are nearly always the same object.
      if (type.name.span !== type.span) shift(type.name, delta);
      return;
    case "list":
      return shiftType(type.element, delta);
    case "map":
      shiftType(type.key, delta);
      shiftType(type.value, delta);
  }
}
