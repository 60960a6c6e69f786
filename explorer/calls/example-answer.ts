import type {
  FieldData,
  MessageData,
} from "../../generator/4-emit/docs/explorer-data.js";
import { textToJson } from "./draft-json.js";
import { jsonNull, type JsonNode } from "./json-text.js";
import type { Entry, Model, Shape } from "./model.js";

/**
 * Creates the body of a response, or one item of a stream, from the examples
 * and limits in the schema.
 *
 * Returns null if the response is a file or has no fields.
 */
export function exampleAnswer(
  model: Model,
  { method }: Entry,
): JsonNode | null {
  const { response, route } = method;
  const message = exampleMessage(model, response);
  if (message === null || route.body === undefined) return message;
  const [, body = null] =
    message.entries.find(([name]) => name === route.body) ?? [];
  return body;
}

type ObjectNode = JsonNode & { kind: "object" };

function exampleMessage(
  model: Model,
  message: MessageData | undefined,
): ObjectNode | null {
  const fields = model.fieldsOf(message);
  const isFile = fields.some(({ type }) => {
    const shape = model.shape(type);
    return shape.kind === "scalar" && shape.scalar.form === "file";
  });
  return fields.length === 0 || isFile
    ? null
    : exampleStruct(model, fields, []);
}

/** The enclosing structs, identified by their fields. */
type EnclosingStructs = readonly (readonly FieldData[])[];

function exampleStruct(
  model: Model,
  fields: readonly FieldData[],
  around: EnclosingStructs,
): ObjectNode {
  const inside = [...around, fields];
  return {
    kind: "object",
    entries: fields.flatMap(
      ({ isNullable, isOptional, limits, name, type }) => {
        const shape = model.shape(type, limits);
        const value = exampleValue(model, shape, inside);
        if (value !== null) return [[name, value] as const];
        return isOptional
          ? []
          : [[name, isNullable ? jsonNull : empty] as const];
      },
    ),
  };
}

const empty: JsonNode = { kind: "object", entries: [] };

/** Creates an example of a value. Returns null for a struct inside itself. */
function exampleValue(
  model: Model,
  shape: Shape,
  around: EnclosingStructs,
): JsonNode | null {
  switch (shape.kind) {
    case "scalar":
      return textToJson(exampleText(shape), shape);
    case "bytes":
      return { kind: "string", value: shape.limits.example ?? "AQI=" };
    case "enum":
      return {
        kind: "string",
        value: shape.declaration.members[0]?.value ?? "",
      };
    case "list": {
      const item = exampleValue(model, model.shape(shape.element), around);
      const count = Math.min(Math.max(shape.limits.minItems ?? 1, 1), 3);
      const items =
        item === null ? [] : Array.from({ length: count }, () => item);
      return { kind: "list", items };
    }
    case "map": {
      const key = exampleValue(model, model.shape(shape.key), around);
      const value = exampleValue(model, model.shape(shape.value), around);
      if (key === null || value === null) return empty;
      const name = key.kind === "string" ? key.value : "1";
      return { kind: "object", entries: [[name, value]] };
    }
    case "struct":
      return around.includes(shape.fields)
        ? null
        : exampleStruct(model, shape.fields, around);
  }
}

function exampleText({
  known,
  limits: { example, sample },
  scalar,
}: Shape & { kind: "scalar" }): string {
  return example ?? known?.members[0]?.value ?? sample ?? scalar.example;
}
