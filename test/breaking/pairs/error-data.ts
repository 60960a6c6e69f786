import type { Field } from "../../../generator/ir/contract.js";
import type { Random } from "../../support/random.js";
import type { Placed, Peer } from "./peer.js";
import { compareTrees, projectMessage, type Tree } from "./project-value.js";
import type {
  Sketch,
  SketchAlias,
  SketchError,
  SketchField,
} from "./sketch.js";

const errorNames = ["NotFound", "Gone", "NotFound | Gone"] as const;

const headerNames = ["X-Left", "x-left", "X-Reset"] as const;

/**
 * Adds a struct that errors carry as their data.
 *
 * Input: the fields in the body, and fields that can be headers.
 */
export function addErrorData(
  sketch: Sketch,
  random: Random,
  fields: SketchField[],
  inHeaders: SketchField[],
): void {
  const type = random.chance(0.8) ? "Loss" : "Item";
  // Only the data of errors can have headers.
  const placed = type === "Loss" ? inHeaders : [];
  for (const [index, field] of placed.entries())
    field.meta["header"] = headerNames[index + 1] ?? "X-Any";
  sketch.types.push(
    { kind: "struct", name: "Loss", fields: [...fields, ...placed] },
    {
      kind: "alias",
      name: "LossData",
      type,
      meta: {
        dataOf: random.oneOf(errorNames),
        ...(random.chance(0.4) && { anyStatus: "true" }),
      },
    },
  );
}

/** Renames an error wherever an alias names it. */
function renameInData(sketch: Sketch, from: string, to: string): void {
  const alias = dataAliasOf(sketch);
  const names = alias?.meta["dataOf"]?.split(" | ") ?? [];
  const renamed = names.map((each) => (each === from ? to : each));
  if (alias) alias.meta["dataOf"] = renamed.join(" | ");
}

function dataAliasOf({ types }: Sketch): SketchAlias | undefined {
  return types
    .filter((type) => type.kind === "alias")
    .find(({ meta }) => meta["dataOf"] !== undefined);
}

/** Returns the fields of the struct whose fields can be headers. */
function lossFields({ types }: Sketch): SketchField[] {
  return types.flatMap((type) =>
    type.kind === "struct" && type.name === "Loss" ? type.fields : [],
  );
}

type Edit = (sketch: Sketch, random: Random) => void;

function onError(edit: (error: SketchError) => void): Edit {
  return ({ errors }, random) => {
    const error = random.maybeOneOf(errors);
    if (error) edit(error);
  };
}

/** Edits of errors themselves. */
export const errorEdits: readonly [Edit, ...Edit[]] = [
  onError((error) => {
    error.code += 20;
  }),
  onError((error) => {
    error.status = 409;
  }),
  ({ errors }) => {
    errors.push({ name: "Busy", code: 30, status: 429 });
  },
  ({ errors }) => {
    const at = errors.findIndex(({ name }) => name === "InvalidArgument");
    if (at !== -1) errors.splice(at, 1);
    else errors.push({ name: "InvalidArgument", code: 31, status: 422 });
  },
  (sketch, random) => {
    const name = random.oneOf(["NotFound", "Gone"]);
    const isKept = random.chance(0.5);
    for (const error of sketch.errors) {
      if (error.name !== name) continue;
      error.name = `${name}Now`;
      if (!isKept) error.code = 40;
    }
    renameInData(sketch, name, `${name}Now`);
    for (const method of sketch.services.flatMap(({ methods }) => methods)) {
      method.errors =
        method.errors?.map((each) => (each === name ? `${name}Now` : each)) ??
        null;
    }
  },
];

/** Edits of the data of errors. */
export const errorDataEdits: readonly [Edit, ...Edit[]] = [
  (sketch, random) => {
    const alias = dataAliasOf(sketch);
    if (alias !== undefined) {
      sketch.types = sketch.types.filter((type) => type !== alias);
    } else if (sketch.types.some(({ name }) => name === "Loss")) {
      const meta = { dataOf: random.oneOf(errorNames) };
      sketch.types.push({
        kind: "alias",
        name: "LossData",
        type: "Loss",
        meta,
      });
    }
  },
  (sketch, random) => {
    const alias = dataAliasOf(sketch);
    if (alias) alias.meta["dataOf"] = random.oneOf(errorNames);
  },
  (sketch) => {
    const alias = dataAliasOf(sketch);
    if (alias) alias.type = alias.type === "Item" ? "Loss" : "Item";
  },
  (sketch) => {
    const meta = dataAliasOf(sketch)?.meta;
    if (meta?.["anyStatus"] !== undefined) delete meta["anyStatus"];
    else if (meta) meta["anyStatus"] = "true";
  },
];

/** Edits of the fields of such data that are headers. */
export const errorHeaderEdits: readonly [Edit, ...Edit[]] = [
  (sketch, random) => {
    const field = random.maybeOneOf(lossFields(sketch));
    if (field) field.meta["header"] = random.oneOf(headerNames);
  },
  (sketch) => {
    for (const { meta } of lossFields(sketch)) delete meta["header"];
  },
  (sketch, random) => {
    const inHeaders = lossFields(sketch).filter(({ meta }) => meta["header"]);
    const field = random.maybeOneOf(inHeaders);
    if (field) field.isOptional = !field.isOptional;
  },
];

/** Which error a handler throws, and its data. */
export interface ThrownData {
  readonly name: string;
  readonly data: unknown;
}

/**
 * Compares the data that a handler of one version throws with what a client of
 * another version reads. Returns null if nothing is different for the client.
 *
 * Input: `isNewer` is whether the client has the newer version.
 */
export function compareErrorData(
  thrown: ThrownData,
  { name, data }: ThrownData,
  [client, method]: readonly [Peer, Placed["method"]],
  server: Peer,
  isNewer: boolean,
): { readonly isCertain: boolean; readonly what: string } | null {
  const reads = method.errors?.includes(name) ?? true;
  const [fields, sent] = [client, server].map((peer) => dataFields(peer, name));
  if (name !== thrown.name || !reads || !fields) return null;
  const of = `the data of ${name}`;
  // A client expects nothing that an old server does not have.
  if (!sent) {
    return isNewer ? null : { isCertain: false, what: `${of} is not sent` };
  }
  if (data === undefined) return { isCertain: false, what: `${of} is ignored` };
  const changed = compareTrees(
    withoutEmptyLists(sent, projectMessage(server.version, sent, thrown.data)),
    withoutEmptyLists(fields, projectMessage(client.version, fields, data)),
  ).find(({ kind }) => kind === "changed");
  return changed
    ? { isCertain: true, what: `${of} is changed at ${changed.path}` }
    : null;
}

/** Replaces empty lists in headers, which are the same as absent headers. */
function withoutEmptyLists(fields: readonly Field[], tree: Tree): Tree {
  const lists = fields.filter(({ header }) => header !== null);
  const names = new Set(lists.map(({ jsonName }) => jsonName));
  return Object.fromEntries(
    Object.entries(tree ?? {}).map(([name, item]): [string, Tree] => {
      const isEmpty = Array.isArray(item) && item.length === 0;
      return [name, names.has(name) && isEmpty ? null : item];
    }),
  );
}

/** Returns the fields of an error's data, or null if the error has none. */
export function dataFields({ version }: Peer, error: string) {
  const found = version.contract.errors.find(({ name }) => name === error);
  if (found?.data == null) return null;
  const struct = version.index.type(found.data);
  return struct.kind === "struct" ? struct.fields : null;
}
