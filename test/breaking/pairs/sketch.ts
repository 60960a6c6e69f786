/** A contract that can be edited in place and then printed as RIDL. */
export interface Sketch {
  hosts: SketchHost[];
  errors: SketchError[];
  types: SketchType[];
  services: SketchService[];
}

export interface SketchHost {
  /** Identifies the host. Does not change when the host is renamed. */
  address: string;
  name: string;
  basepath: string;
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

/** Metadata, as `+ key = value` lines. */
export type Meta = Record<string, string>;

export interface SketchField {
  name: string;
  type: string;
  isOptional: boolean;
  /** Not printed for arguments, which have no metadata. */
  meta: Meta;
}

export interface SketchService {
  name: string;
  /** The address of its host. */
  address: string;
  isWebhook: boolean;
  methods: SketchMethod[];
}

export interface SketchMethod {
  name: string;
  auth: string[];
  /** The path of a REST method. */
  get: string | null;
  /** The rest of the address of a method with `@http`. */
  http: SketchHttp | null;
  body: string | null;
  /** Outputs in headers, by the names of the headers. */
  responseHeaders: SketchPair[];
  /** The output that contains the status. */
  responseStatus: string | null;
  safety: "readonly" | "idempotent" | null;
  input: SketchMessage;
  output: SketchMessage;
  isStream: boolean;
  /** The declared errors. If null, the method can return any error. */
  errors: string[] | null;
}

export interface SketchHttp {
  verb: string;
  query: SketchPair[];
  headers: SketchPair[];
  status: number;
  /** If there are any, they replace `status`. */
  statuses: SketchStatus[];
  /** The field that is the whole body of the request. */
  whole: string | null;
}

/** A status of a success, and the JSON name of the output that is its body. */
export interface SketchStatus {
  status: number;
  field: string | null;
}

/** A header, or a part of a query. Only a query has parts without a field. */
export interface SketchPair {
  name: string;
  field: string | null;
}

/** The name of a struct, or a list of arguments. */
export type SketchMessage = string | SketchField[];

/**
 * RIDL documents by path: one for each host and, if there are several hosts,
 * {@link shared}.
 */
export type Documents = Readonly<Record<string, string>>;

/** The document with the declarations that several hosts share. */
export const shared = "shared.ridl";

/**
 * Prints the documents of a sketch. A host without services has no document.
 */
export function printSketch(sketch: Sketch): Documents {
  const hosts = sketch.hosts.flatMap((host) => {
    const { address } = host;
    const services = sketch.services.filter((each) => each.address === address);
    return services.length === 0 ? [] : [{ host, services }];
  });
  const declared = [
    ...sketch.errors.map(
      ({ code, name, status }) =>
        `error ${code} ${name} "${name}" HTTP ${status}`,
    ),
    "",
    ...sketch.types.map(printType),
  ];
  const isAlone = hosts.length === 1;
  const documents = hosts.map(({ host, services }) => [
    `${host.address}.ridl`,
    [
      `webrpc = v1\nname = ${host.name}\nversion = v1.0.0`,
      `basepath = "${host.basepath}"\n`,
      ...(isAlone ? declared : [`import "${shared}"`]),
      ...services.map(printService),
    ].join("\n"),
  ]);
  const others = isAlone
    ? []
    : [[shared, ["webrpc = v1\n", ...declared].join("\n")]];
  return Object.fromEntries([...documents, ...others]);
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
      method.get !== null && printAddress(method.get, method.http),
      method.body !== null && `@body:${method.body}`,
      printHeaders("responseHeaders", method.responseHeaders),
      method.responseStatus !== null &&
        `@responseStatus:${method.responseStatus}`,
      method.safety !== null && `@${method.safety}`,
    ].filter((note) => note !== false && note !== "");
    const above = notes.length === 0 ? "" : `  ${notes.join(" ")}\n`;
    const stream = method.isStream ? "stream " : "";
    const errors = method.errors?.join(" | ") ?? "";
    const tail = errors === "" ? "" : ` errors ${errors}`;
    return `${above}  - ${method.name}(${printMessage(method.input)}) => ${stream}(${printMessage(method.output)})${tail}\n`;
  });
  return `service ${name}\n${lines.join("")}`;
}

function printAddress(path: string, http: SketchHttp | null): string {
  if (http === null) return `@get:"${path}"`;
  const { headers, query, verb, whole } = http;
  const pairs = query.map(({ name, field }) =>
    field === null ? `${name}=true` : `${name}={${field}}`,
  );
  const target = pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
  const body = whole === null ? "" : ` @requestBody:${whole}`;
  const inHeaders = printHeaders("requestHeaders", headers);
  return [`@http:"${verb} ${target} ${printStatuses(http)}"${body}`, inHeaders]
    .join(" ")
    .trimEnd();
}

function printStatuses({ status, statuses }: SketchHttp): string {
  if (statuses.length === 0) return String(status);
  return statuses
    .map((each) => {
      if (each.field !== null) return `${each.status}={${each.field}}`;
      return each.status === 204 ? "204" : `${each.status}=empty`;
    })
    .join(" ");
}

function printHeaders(annotation: string, headers: SketchPair[]): string {
  const texts = headers.map(({ name, field }) => `${name}={${field}}`);
  return texts.length === 0 ? "" : `@${annotation}:"${texts.join(", ")}"`;
}

function printMessage(message: SketchMessage): string {
  return typeof message === "string"
    ? message
    : message.map(printField).join(", ");
}

/**
 * Returns the fields of a message, whether its struct or its method declares
 * them.
 */
export function fieldsOf(
  sketch: Sketch,
  message: SketchMessage,
): SketchField[] {
  if (typeof message !== "string") return message;
  const found = sketch.types.find(({ name }) => name === message);
  return found?.kind === "struct" ? found.fields : [];
}
