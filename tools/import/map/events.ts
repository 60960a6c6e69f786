import type { FormNode } from "../../../generator/1-parse/form/form-node.js";
import { DocumentPart } from "../read/document-part.js";
import type { Types } from "./types/types.js";

/** Whether the body of a response consists of server-sent events. */
export function isEvents({ key }: DocumentPart): boolean {
  return /^text\/event-stream\s*(?:;|$)/iu.test(key);
}

const eventFields: ReadonlySet<string> = new Set([
  "comment",
  "data",
  "event",
  "id",
  "retry",
]);

/**
 * Returns the schema of the data of events. Documents describe the data itself,
 * an event with its `data`, a union of events, or a list of one of these.
 */
export function dataOf(media: DocumentPart, types: Types): DocumentPart | null {
  const item = media.get("itemSchema");
  const schema = item ?? media.get("schema");
  if (schema === null) return null;
  const list = item === null ? resolve(schema, types)?.get("items") : null;
  const events =
    eventsIn(schema, types) ?? (list ? eventsIn(list, types) : null);
  return events === null ? schema : joinData(media, events, types);
}

/** Returns the events that a schema describes, or null if it describes none. */
function eventsIn(
  schema: DocumentPart,
  types: Types,
): readonly DocumentPart[] | null {
  const target = resolve(schema, types);
  const lists = [target?.get("oneOf"), target?.get("anyOf")];
  const variants = lists.flatMap((list) => list?.items() ?? []);
  const all = (variants.length > 0 ? variants : [schema]).flatMap(
    (each) => resolve(each, types) ?? [],
  );
  const areEvents = all.every((event) => {
    const keys = event.get("properties")?.entries() ?? [];
    return keys.length > 0 && keys.every(({ key }) => eventFields.has(key));
  });
  return areEvents && all.some((event) => fieldOf(event) !== null) ? all : null;
}

function fieldOf(event: DocumentPart): DocumentPart | null {
  return event.get("properties")?.get("data") ?? null;
}

/** Returns the schema of the data of all events that have some. */
function joinData(
  media: DocumentPart,
  events: readonly DocumentPart[],
  types: Types,
): DocumentPart | null {
  const all = events.flatMap((event) => {
    const data = fieldOf(event);
    return data?.get("contentSchema") ?? data ?? [];
  });
  const typed = all.filter((each) => each.entries().length > 0);
  for (const open of typed.length === 0 ? [] : all) {
    if (typed.includes(open)) continue;
    const message = "the data of some events has no type";
    const instead = "it has the type of the data of the other events";
    types.notes.add("value", open, message, instead);
  }
  const texts = new Map(typed.map((each) => [each.written, each]));
  const [first, ...others] = texts.values();
  if (first === undefined || others.length === 0) return first ?? null;
  if (others.some(({ source }) => source !== first.source)) {
    const message = "the data of events is described in several files";
    types.notes.add("value", media, message, "any value is accepted");
    return null;
  }
  const { span } = media.node;
  const parts = [first, ...others];
  const variants = parts.map(({ node }) => node);
  const text = "oneOf";
  const key = { kind: "text", span, text, type: "string" } as const;
  const node: FormNode = {
    kind: "map",
    span,
    entries: new Map([
      [
        text,
        {
          key: { ...key, isVerbatim: false },
          value: { kind: "list", span, items: variants },
        },
      ],
    ]),
  };
  const joined = new DocumentPart(node, first.source, media, "data");
  for (const [index, copy] of (joined.get(text)?.items() ?? []).entries()) {
    types.uses.addCopy(copy, parts[index] ?? copy);
  }
  return joined;
}

function resolve(part: DocumentPart, types: Types): DocumentPart | null {
  return types.library.resolve(part);
}
