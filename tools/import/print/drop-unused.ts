import type {
  MappedType,
  Model,
  ModelMessage,
  ModelType,
} from "../model/model.js";

/** Metadata of types that the whole document uses. */
const ofDocument: ReadonlySet<string> = new Set([
  ...["base", "dataOf", "errorBody", "header", "query", "cookie"],
]);

/**
 * Removes types that nothing uses after the declarations that used them were
 * simplified. Shared schemas stay, because the document names them.
 */
export function dropUnused(model: Model): Model {
  const byName = new Map(model.types.map((type) => [type.name, type]));
  const used = new Set<ModelType>();
  const waiting = model.types.filter((type) => !isInline(type));
  const add = (text: string): void => {
    for (const name of text.match(/\w+/gu) ?? []) {
      const type = byName.get(name);
      if (type !== undefined) waiting.push(type);
    }
  };
  const services = model.hosts.flatMap((host) => host.services);
  for (const { input, output } of services.flatMap(({ methods }) => methods)) {
    for (const text of [...typesIn(input), ...typesIn(output)]) add(text);
  }
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (used.has(type)) continue;
    used.add(type);
    for (const text of typesOf(type)) add(text);
  }
  return { ...model, types: model.types.filter((type) => used.has(type)) };
}

function isInline({ body, part }: ModelType): boolean {
  // The root of a JSON Schema has a name, too.
  if (part.isSharedSchema || part.pointer === "#") return false;
  return (
    body.kind !== "alias" ||
    !body.metadata.some(({ key }) => ofDocument.has(key))
  );
}

/** Returns the types of a message as written in RIDL. */
export function typesIn(message: ModelMessage): readonly string[] {
  return message.kind === "struct"
    ? [message.name]
    : message.list.map(({ type }) => type);
}

/** Returns the texts that contain the names of the types that a type uses. */
function typesOf({ body }: ModelType): readonly string[] {
  switch (body.kind) {
    case "alias":
      return textsOf(body);
    case "enum":
      return [];
    case "struct":
      return body.fields.flatMap(textsOf);
  }
}

function textsOf({ metadata, type }: MappedType): readonly string[] {
  const unions = metadata.filter(
    ({ key }) => key === "oneOf" || key === "known",
  );
  return [type, ...unions.map(({ value }) => value)];
}
