/** A contract as its parts in RIDL, which edits change in place. */
export interface Sketch {
  host: string;
  basepath: string;
  errors: SketchError[];
  types: SketchType[];
  services: SketchService[];
}

export interface SketchError {
  name: string;
  code: number;
  status: number;
}

export type SketchType = SketchAlias | SketchStruct | SketchEnum;

export interface SketchAlias {
  kind: "alias";
  name: string;
  type: string;
  meta: Meta;
}

export interface SketchStruct {
  kind: "struct";
  name: string;
  fields: SketchField[];
}

export interface SketchEnum {
  kind: "enum";
  name: string;
  base: string;
  members: { name: string; value: string | null }[];
}

/** `+ key = value` lines. */
export type Meta = Record<string, string>;

export interface SketchField {
  name: string;
  type: string;
  isOptional: boolean;
  /** Not printed for arguments, which have none. */
  meta: Meta;
}

export interface SketchService {
  name: string;
  isWebhook: boolean;
  methods: SketchMethod[];
}

export interface SketchMethod {
  name: string;
  auth: string[];
  /** Path of a REST read. */
  get: string | null;
  body: string | null;
  safety: "readonly" | "idempotent" | null;
  input: SketchMessage;
  output: SketchMessage;
  isStream: boolean;
  /** null: any error. */
  errors: string[] | null;
}

/** The name of a struct, or a list of arguments. */
export type SketchMessage = string | SketchField[];

/** The RIDL text of a sketch. */
export function printSketch(sketch: Sketch): string {
  return [
    `webrpc = v1\nname = ${sketch.host}\nversion = v1.0.0`,
    `basepath = "${sketch.basepath}"\n`,
    ...sketch.errors.map(
      ({ code, name, status }) =>
        `error ${code} ${name} "${name}" HTTP ${status}`,
    ),
    "",
    ...sketch.types.map(printType),
    ...sketch.services.map(printService),
  ].join("\n");
}

function printType(type: SketchType): string {
  switch (type.kind) {
    case "alias":
      return `type ${type.name}: ${type.type}\n${printMeta(type.meta, "  ")}`;
    case "struct":
      return `struct ${type.name}\n${type.fields
        .map((field) => `  - ${printField(field)}\n${printMeta(field.meta)}`)
        .join("")}`;
    case "enum":
      return `enum ${type.name}: ${type.base}\n${type.members
        .map(({ name, value }) =>
          value === null ? `  - ${name}\n` : `  - ${name} = ${value}\n`,
        )
        .join("")}`;
  }
}

function printField({ name, type, isOptional }: SketchField): string {
  return `${name}${isOptional ? "?" : ""}: ${type}`;
}

function printMeta(meta: Meta, indent = "    "): string {
  return Object.entries(meta)
    .map(([key, value]) => `${indent}+ ${key} = "${value}"\n`)
    .join("");
}

function printService({ name, isWebhook, methods }: SketchService): string {
  const lines = methods.map((method) => {
    const notes = [
      isWebhook && "@webhook",
      method.auth.length > 0 && `@auth:"${method.auth.join(",")}"`,
      method.get !== null && `@get:"${method.get}"`,
      method.body !== null && `@body:${method.body}`,
      method.safety !== null && `@${method.safety}`,
    ].filter((note) => note !== false);
    const above = notes.length === 0 ? "" : `  ${notes.join(" ")}\n`;
    const stream = method.isStream ? "stream " : "";
    const errors = method.errors?.join(" | ") ?? "";
    const tail = errors === "" ? "" : ` errors ${errors}`;
    return `${above}  - ${method.name}(${printMessage(method.input)}) => ${stream}(${printMessage(method.output)})${tail}\n`;
  });
  return `service ${name}\n${lines.join("")}`;
}

function printMessage(message: SketchMessage): string {
  return typeof message === "string"
    ? message
    : message.map(printField).join(", ");
}

/** The fields of a message, wherever they are declared. */
export function fieldsOf(
  sketch: Sketch,
  message: SketchMessage,
): SketchField[] {
  if (typeof message !== "string") return message;
  const found = sketch.types.find(({ name }) => name === message);
  return found?.kind === "struct" ? found.fields : [];
}
