import { variantFor } from "../../generator/values/variants.js";
import { isRecord } from "../../generator/ir/is-record.js";
import type {
  Contract,
  Field,
  TypeReference,
} from "../../generator/ir/contract.js";
import {
  extraFieldOf,
  membersAmong,
} from "../../generator/ir/extra-members.js";
import { scalars } from "../../generator/ir/scalars.js";
import { type ResolvedValue, valuesOf } from "../../generator/values/value.js";
import { CallFault, helpWithName } from "./call-fault.js";

/** Where the parts of a request come from. */
export interface RequestSources {
  /** Parses JSON. Throws if the text is invalid. */
  readonly parse: (text: string) => unknown;
  /** Reads a text file. */
  readonly readText: (path: string) => string;
  /** Reads standard input. */
  readonly readInput: () => Promise<string>;
}

/** The fields of a request by their names in JSON. */
export type WrittenFields = Readonly<Record<string, unknown>>;

interface Reading extends RequestSources {
  readonly contract: Contract;
}

/**
 * Reads a request from words of a command line, which are applied in order: a
 * JSON object, `@file` or `-` for standard input, `name=value`, `name=@file`
 * and `name:=json`. In the result, files are still paths.
 *
 * Errors: a {@link CallFault} for a word that is none of these, for invalid JSON,
 * and for fields that the contract does not have.
 */
export async function readRequest(
  words: readonly string[],
  fields: readonly Field[],
  contract: Contract,
  sources: RequestSources,
): Promise<WrittenFields> {
  const reading = { ...sources, contract };
  let request: WrittenFields = {};
  for (const word of words) {
    const body = await bodyIn(word, reading);
    if (body === null) request = addField(request, fields, word, reading);
    else request = { ...request, ...body };
  }
  checkNames(request, fields, reading);
  return request;
}

/** Returns the object that a word stands for, or null if it is a field. */
async function bodyIn(
  word: string,
  reading: Reading,
): Promise<WrittenFields | null> {
  if (word === "-") {
    return parseObject(await reading.readInput(), "standard input", reading);
  }
  if (word.startsWith("@")) {
    const path = word.slice(1);
    return parseObject(reading.readText(path), `\`${path}\``, reading);
  }
  return /^\s*[[{"]/u.test(word)
    ? parseObject(word, "the request", reading)
    : null;
}

function parseObject(
  text: string,
  what: string,
  reading: Reading,
): WrittenFields {
  const value = parse(text, what, reading);
  if (isRecord(value)) return value;
  throw new CallFault(`${what} is not a JSON object`);
}

function parse(text: string, what: string, reading: Reading): unknown {
  try {
    return reading.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallFault(`${what} is not valid JSON: ${reason}`);
  }
}

function addField(
  request: WrittenFields,
  fields: readonly Field[],
  word: string,
  reading: Reading,
): WrittenFields {
  const [, name = "", operator, text = ""] =
    /^([^=]*?)(:?=)(.*)$/su.exec(word) ?? [];
  if (operator === undefined || name === "") {
    throw new CallFault(
      `\`${word}\` is not a field`,
      "write `name=value`, `name:=json`, or the request as a JSON object",
    );
  }
  const assign = (before: unknown, field: Field | TypeReference): unknown =>
    operator === ":="
      ? parse(contentOf(text, reading), `the value of \`${name}\``, reading)
      : toValue(text, field, before, reading);
  return assignAt(request, fields, name, assign, reading);
}

/** Sets a field by its name, or by a path such as `order.customer.name`. */
function assignAt(
  target: WrittenFields,
  fields: readonly Field[],
  path: string,
  assign: (before: unknown, field: Field | TypeReference) => unknown,
  reading: Reading,
): WrittenFields {
  const field = membersAmong(fields).find(({ jsonName }) => jsonName === path);
  if (field !== undefined) {
    return { ...target, [path]: assign(target[path], field) };
  }
  const [head = ""] = path.split(".", 1);
  const parent = membersAmong(fields).find(({ jsonName }) => jsonName === head);
  const extra = parent === undefined ? extraValue(fields, reading) : null;
  if (extra !== null) {
    return { ...target, [path]: assign(target[path], extra) };
  }
  const value = parent && valuesOf(reading.contract).valueOf(parent);
  if (value?.kind !== "struct" || head === path) throw noField(path, fields);
  const before = target[head];
  const nested = assignAt(
    isRecord(before) ? before : {},
    value.declaration.fields,
    path.slice(head.length + 1),
    assign,
    reading,
  );
  return { ...target, [head]: nested };
}

/**
 * Converts the text of a field. Text that cannot be converted stays a string,
 * which the validator then reports. A field with a list is a list with one more
 * element.
 */
function toValue(
  text: string,
  field: Field | TypeReference,
  before: unknown,
  reading: Reading,
): unknown {
  const value = valuesOf(reading.contract).valueOf(field);
  if (value.kind !== "list") return convert(text, value, reading);
  const element = convert(text, valueOf(value.element, reading), reading);
  return [...(Array.isArray(before) ? before : []), element];
}

function valueOf(type: TypeReference, { contract }: Reading): ResolvedValue {
  return valuesOf(contract).valueOf(type);
}

function convert(
  text: string,
  value: ResolvedValue,
  reading: Reading,
): unknown {
  if (isFile(value)) return text;
  const content = contentOf(text, reading);
  if (isText(value)) return content;
  try {
    return reading.parse(content);
  } catch {
    return content;
  }
}

function isFile(value: ResolvedValue): boolean {
  return value.kind === "scalar" && value.scalar === "file";
}

/** Whether the JSON of all values is a string. */
function isText(value: ResolvedValue): boolean {
  switch (value.kind) {
    case "bytes":
    case "enum":
      return true;
    case "scalar":
      return scalars[value.scalar].wire === "string";
    case "list":
    case "map":
    case "struct":
    case "union":
      return false;
  }
}

/** Returns the content of the file that `@path` names, or the text itself. */
function contentOf(text: string, { readText }: Reading): string {
  return text.startsWith("@") ? readText(text.slice(1)) : text;
}

/** Returns the type of members that no field declares, or null if there are none. */
function extraValue(
  fields: readonly Field[],
  { contract }: Reading,
): TypeReference | null {
  const extra = extraFieldOf(fields);
  const map = extra && valuesOf(contract).valueOf(extra);
  return map?.kind === "map" ? map.held : null;
}

/** Checks that the contract declares all fields of an object. */
function checkNames(
  object: WrittenFields,
  fields: readonly Field[],
  reading: Reading,
  path = "",
): void {
  const known = new Map(
    membersAmong(fields).map((field) => [field.jsonName, field]),
  );
  const extra = extraValue(fields, reading);
  for (const [name, member] of Object.entries(object)) {
    const field = known.get(name) ?? extra;
    if (field === null) throw noField(name, fields, path);
    const value = valuesOf(reading.contract).valueOf(field);
    checkNamesIn(member, value, reading, `${path}${name}`);
  }
}

function checkNamesIn(
  member: unknown,
  value: ResolvedValue,
  reading: Reading,
  path: string,
): void {
  const inAll = (type: TypeReference, members: readonly unknown[]): void => {
    const held = valueOf(type, reading);
    for (const each of members) checkNamesIn(each, held, reading, path);
  };
  switch (value.kind) {
    case "struct":
      if (!isRecord(member)) return;
      checkNames(member, value.declaration.fields, reading, `${path}.`);
      return;
    case "union": {
      const scope = valuesOf(reading.contract);
      const variant = variantFor(scope, value.declaration, member);
      if (variant) checkNamesIn(member, variant.value, reading, path);
      return;
    }
    case "list":
      if (Array.isArray(member)) inAll(value.element, member);
      return;
    case "map":
      if (isRecord(member)) inAll(value.held, Object.values(member));
      return;
    case "bytes":
    case "enum":
    case "scalar":
      return;
  }
}

function noField(name: string, fields: readonly Field[], path = ""): CallFault {
  const names = fields.map(({ jsonName }) => jsonName);
  return new CallFault(
    `there is no field \`${path}${name}\``,
    names.length === 0
      ? "the message has no fields"
      : helpWithName(name, names, "the fields are"),
  );
}
