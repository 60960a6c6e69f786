// What an OpenAPI document says about the request of an operation, with a value
// for each of its parameters and for its body.
import { valueAt, verbs } from "../openapi-documents.js";

/** The content of each file in a request. */
export const fileText = "content";

/** Stands for the content of a file. */
export const file = { file: fileText };

const plainTexts = {
  "date-time": "2024-01-02T03:04:05Z",
  date: "2024-01-02",
  byte: "Y29udGVudA==",
  uuid: "7f2f5b3c-9f0e-4a5b-8a44-0d7f0f7f2f5b",
  uri: "https://example.com/a",
  email: "a@example.com",
};

/** Lists the operations of a document, each with its parameters and bodies. */
export function operationsOf(root) {
  const used = (value) =>
    typeof value?.$ref === "string"
      ? used(valueAt(root, value.$ref.replace("#", "")) ?? {})
      : (value ?? {});
  return Object.entries(root.paths ?? {}).flatMap(([path, written]) => {
    const item = used(written);
    return verbs
      .filter((verb) => typeof item[verb] === "object")
      .map((verb) => {
        const operation = used(item[verb]);
        const all = new Map(
          [...(item.parameters ?? []), ...(operation.parameters ?? [])]
            .map(used)
            .map((each) => [`${each.in} ${each.name}`, each]),
        );
        return {
          path,
          verb,
          ...read(operation, [...all.values()], root, used),
        };
      });
  });
}

function read(operation, parameters, root, used) {
  const sample = (schema, depth = 0) => sampleOf(schema, used, depth);
  const values = parameters
    .filter(({ in: place }) => ["path", "query", "header"].includes(place))
    .filter(
      ({ in: place, name }) =>
        place !== "header" ||
        !/^(?:accept|content-type|authorization)$/iu.test(name),
    )
    .map((parameter) => {
      const [type] = Object.entries(parameter.content ?? {});
      const schema = type?.[1].schema ?? parameter.schema ?? parameter;
      const value = sample(schema, 1);
      return { ...parameter, isJson: type !== undefined, value };
    });
  const { content = swaggerContent(operation, parameters, root) } = used(
    operation.requestBody,
  );
  const bodies = Object.entries(content).map(([type, each]) => ({
    type: type.split(";")[0].trim().toLowerCase(),
    encoding: each.encoding ?? {},
    value: /json|form/u.test(type) ? sample(each.schema ?? {}) : file,
  }));
  return { values, bodies };
}

/** The bodies of an operation of Swagger 2. */
function swaggerContent(operation, parameters, root) {
  const body = parameters.find((each) => each.in === "body");
  const fields = parameters.filter((each) => each.in === "formData");
  const types = operation.consumes ?? root.consumes ?? [];
  if (body !== undefined) {
    const known = types.length === 0 ? ["application/json"] : types;
    return Object.fromEntries(
      known.map((type) => [type, { schema: body.schema ?? {} }]),
    );
  }
  if (fields.length === 0) return {};
  const isFile = fields.some(({ type }) => type === "file");
  const properties = Object.fromEntries(
    fields.map((each) => [
      each.name,
      each.type === "file" ? { type: "string", format: "binary" } : each,
    ]),
  );
  const type = isFile
    ? "multipart/form-data"
    : "application/x-www-form-urlencoded";
  return { [type]: { schema: { type: "object", properties } } };
}

/** Returns a value of a schema. */
function sampleOf(written, used, depth) {
  const schema = used(written);
  const isNull = (each) => used(each).type === "null";
  const variants = (schema.oneOf ?? schema.anyOf)?.filter(
    (each) => !isNull(each),
  );
  if (schema.const !== undefined) return schema.const;
  const [listed] = (schema.enum ?? []).filter((each) => each !== null);
  if (listed !== undefined) return listed;
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  const [type = schema.properties ? "object" : undefined] = types;
  if (depth > 8) return type === "array" ? [] : type === "object" ? {} : "a";
  const parts = [
    ...(schema.allOf ?? []),
    ...(variants === undefined ? [] : variants.slice(0, 1)),
  ];
  if (parts.length > 0) {
    const found = parts.map((each) => sampleOf(each, used, depth + 1));
    if (schema.properties !== undefined) {
      found.push(objectOf(schema, used, depth));
    }
    const isObject = (each) =>
      typeof each === "object" && each !== null && !Array.isArray(each);
    return found.every(isObject) && !found.includes(file)
      ? Object.assign({}, ...found)
      : found.find((each) => !isObject(each) || each === file);
  }
  switch (type) {
    case "object":
      return objectOf(schema, used, depth);
    case "array":
      return [sampleOf(schema.items ?? {}, used, depth + 1)];
    case "integer":
      return Math.ceil(Math.max(schema.minimum ?? 7, 1));
    case "number":
      return (schema.minimum ?? 7) + 0.5;
    case "boolean":
      return true;
    case "string":
      if (schema.contentEncoding === "base64") return plainTexts.byte;
      if (
        schema.format === "binary" ||
        schema.contentEncoding === "binary" ||
        schema.contentMediaType !== undefined
      ) {
        return file;
      }
      return plainTexts[schema.format] ?? "a b";
    default:
      return "text";
  }
}

function objectOf(schema, used, depth) {
  const { properties = {}, required = [] } = schema;
  const entries = Object.entries(properties).filter(
    ([name, each]) =>
      used(each).readOnly !== true && (depth < 2 || required.includes(name)),
  );
  return Object.fromEntries(
    entries.map(([name, each]) => [name, sampleOf(each, used, depth + 1)]),
  );
}

/** Returns the pairs of a parameter in the query. */
export function pairsOf({ name, value, isJson, ...parameter }) {
  const { style = "form", collectionFormat } = parameter;
  if (isJson) return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    const isOne =
      parameter.explode === false ||
      (parameter.type === "array" && collectionFormat !== "multi");
    const end = style === "deepObject" ? "[]" : "";
    const marks = { pipeDelimited: "|", spaceDelimited: " " };
    return isOne
      ? [[name, value.map(textOf).join(marks[style] ?? ",")]]
      : value.map((each) => [name + end, textOf(each)]);
  }
  if (typeof value !== "object") return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, each]) => {
    const own = style === "deepObject" ? `${name}[${key}]` : key;
    return pairsOf({ name: own, value: each, style });
  });
}

/** Returns the pairs of a form. */
export function formOf({ value, encoding }) {
  return Object.entries(value).flatMap(([name, each]) =>
    pairsOf({ name, value: each, ...encoding[name] }),
  );
}

/** Returns how a scalar is written where there is only text. */
export function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
