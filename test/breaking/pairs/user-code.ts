import { nameContract } from "../../../generator/4-emit/typescript/names/name-contract.js";
import type { Names } from "../../../generator/4-emit/typescript/names/names.js";
import { isBytes } from "../../support/is-bytes.js";
import type {
  Field,
  Host,
  Message,
  Method,
  Service,
  TypeReference,
  Union,
} from "../../../generator/ir/contract.js";
import { typesWithin } from "../../../generator/values/reachable-types.js";
import { valuesOf } from "../../../generator/values/value.js";
import type { Version } from "./build-version.js";

/** User code for a version, as the contents of two files. */
export interface UserCode {
  readonly client: string;
  readonly server: string;
}

/**
 * Writes code that uses everything generated for a version. It names every
 * type, calls every method with every field, and implements every handler. The
 * values that it reads and writes have declared types.
 */
export function writeUserCode(version: Version): UserCode {
  const { hosts } = version.contract;
  const names = nameContract(version.contract);
  const writers = hosts.map((host) => {
    const folder = hosts.length === 1 ? "" : `${names.host(host).folder}/`;
    return new UserCodeWriter(version, host, names, folder);
  });
  const codeOf = (parts: readonly string[]): string =>
    [...preamble, ...(writers[0]?.namesOfAll() ?? []), ...parts].join("\n");
  return {
    client: codeOf(writers.map((writer) => writer.client())),
    server: codeOf(writers.map((writer) => writer.server())),
  };
}

class UserCodeWriter {
  readonly #version: Version;
  readonly #host: Host;
  readonly #names: Names;
  /** The folder of the host, relative to the output folder. */
  readonly #folder: string;

  constructor(version: Version, host: Host, names: Names, folder: string) {
    this.#version = version;
    this.#host = host;
    this.#names = names;
    this.#folder = folder;
  }

  client(): string {
    const inbound = this.#services("inbound");
    const outbound = this.#services("outbound");
    const { createClient } = this.#names.host(this.#host);
    return [
      `take(generated.${createClient});`,
      ...inbound.map((service) => this.#callsOf(service)),
      ...outbound.map((service) => this.#sendsOf(service)),
    ].join("\n");
  }

  /** Returns lines that name every type, enum member, and error. */
  namesOfAll(): readonly string[] {
    const { errors, hosts, types } = this.#version.contract;
    const messages = hosts
      .flatMap(({ services }) => services)
      .flatMap(({ methods }) =>
        methods.flatMap((method) => {
          const { request, response, error } = this.#names.method(method);
          return [request, response, error];
        }),
      );
    const named = [
      ...new Set([
        ...types.map(({ name }) => this.#names.type(name)),
        ...messages,
      ]),
    ];
    return [
      'import * as generated from "./generated/index.js";',
      ...named.map((name) => `export type Has${name} = generated.${name};`),
      ...types.flatMap((type) =>
        type.kind === "enum"
          ? type.members.map(
              ({ name, jsonValue }) =>
                `take<${JSON.stringify(jsonValue)}>(generated.${this.#names.type(type.name)}.${name});`,
            )
          : [],
      ),
      ...errors.map(
        ({ name }) => `take(generated.${this.#names.errorClass(name)});`,
      ),
    ];
  }

  server(): string {
    const { createServer } = this.#names.host(this.#host);
    const server = `from${createServer}`;
    const inbound = this.#services("inbound");
    const parts = [
      `createServer({ handlers: {\n${inbound.map((each) => this.#handlersOf(each)).join("\n")} },`,
      ...this.#credentials(inbound).map(
        (credential) =>
          `${this.#names.credential(credential).verify}: (value: string) => value !== "",`,
      ),
      ...(this.#parameters().length > 0
        ? [`acceptParameters: ({ ${this.#parameters().join(", ")} }) => true,`]
        : []),
      "});",
    ];
    const receivers = this.#services("outbound").map(
      (service) =>
        `${server}.${this.#names.service(service).createReceiver}({ handlers: {\n${this.#handlersOf(service)} } });`,
    );
    const thrown = this.#version.contract.errors.map((error) => {
      const { anyStatus, data, name } = error;
      const status = anyStatus ? ", status: 402" : "";
      const options =
        data === null ? "" : `{ data: ${this.#dataLiteral(data)}${status} }`;
      return `take(new generated.${this.#names.errorClass(name)}(${options}));`;
    });
    return [
      `import * as ${server} from "./generated/${this.#folder}server.js";`,
      ...thrown,
      `${server}.${parts.join("\n").replace("createServer", createServer)}`,
      ...receivers,
    ].join("\n");
  }

  /** Writes the data of an error. */
  #dataLiteral(struct: string): string {
    const fields = this.#fieldsOf(struct);
    return `make<boolean>() ? ${this.#literal(fields, true)} : ${this.#literal(fields, false)}`;
  }

  #fieldsOf(struct: string): readonly Field[] {
    const declared = this.#version.index.type(struct);
    return declared.kind === "struct" ? declared.fields : [];
  }

  #services(direction: Service["direction"]): readonly Service[] {
    return this.#host.services.filter((each) => each.direction === direction);
  }

  #parameters(): readonly string[] {
    return this.#host.basePath.segments.flatMap((segment) =>
      segment.kind === "parameter" ? segment.name : [],
    );
  }

  #credentials(services: readonly Service[]) {
    const needed = services.flatMap(({ methods }) =>
      methods.flatMap(({ credentials }) => credentials),
    );
    return this.#version.contract.credentials.filter(({ key }) =>
      needed.includes(key),
    );
  }

  #callsOf(service: Service): string {
    const { createClient } = this.#names.service(service);
    const credentials = this.#credentials(this.#host.services).map(
      (each) => `${this.#names.credential(each).property}: "key"`,
    );
    const parameters = this.#parameters().map((name) => `${name}: "x"`);
    const options = [
      'baseUrl: ""',
      ...(credentials.length > 0
        ? [`credentials: { ${credentials.join(", ")} }`]
        : []),
      ...(parameters.length > 0
        ? [`parameters: { ${parameters.join(", ")} }`]
        : []),
    ];
    return `{ const client = generated.${createClient}({ ${options.join(", ")} });\n${service.methods
      .map((method) => this.#call(method, "client", ""))
      .join("\n")} }`;
  }

  #sendsOf(service: Service): string {
    const { createSender } = this.#names.service(service);
    return `{ const sender = generated.${createSender}({});\n${service.methods
      .map((method) => this.#call(method, "sender", '"https://x", '))
      .join("\n")} }`;
  }

  #call(method: Method, owner: string, first: string): string {
    const { property } = this.#names.method(method);
    const { fields } = method.request;
    const call = (isFull: boolean): string =>
      `${owner}.${property}(${first}${this.#literal(fields, isFull)})`;
    const errors = this.#version.contract.errors
      .filter(({ name }) => method.errors?.includes(name) ?? true)
      .map(({ name, data }) => {
        const isNamed = `result.error.name === ${JSON.stringify(name)}`;
        if (data === null) return `take(${isNamed});`;
        const fields = this.#fieldsOf(data);
        return `if (${isNamed}) { take<${this.#objectType(fields)} | undefined>(result.error.data); }`;
      });
    const isStream = method.response.isStream;
    const type = this.#objectType(method.response.fields);
    const reads = `take<${type}>(item); ${this.#reads(method.response.fields, "item").join(" ")}`;
    const read =
      first === ""
        ? isStream
          ? `for await (const item of ${call(true)}) { ${reads} }`
          : `const item = await ${call(true)}; ${reads}`
        : `await ${call(true)};`;
    const result = `const result = await ${owner}.${property}.result(${first}${this.#literal(fields, true)}); if (!result.ok) { ${errors.join(" ")} }`;
    return `{ ${read}\n take(${call(false)});\n ${isStream ? "" : result} }`;
  }

  #handlersOf(service: Service): string {
    const handlers = service.methods.map((method) => {
      const { property, response } = this.#names.method(method);
      const request = `take<${this.#objectType(method.request.fields)}>(request); ${this.#reads(method.request.fields, "request").join(" ")}`;
      const literal = (isFull: boolean): string =>
        this.#literal(method.response.fields, isFull);
      const type = `generated.${response}`;
      return method.response.isStream
        ? `async *${property}(request): AsyncGenerator<${type}> { ${request} yield ${literal(true)}; yield ${literal(false)}; },`
        : `async ${property}(request): Promise<${type}> { ${request} return make<boolean>() ? ${literal(true)} : ${literal(false)}; },`;
    });
    return `${this.#names.service(service).property}: {\n${handlers.join("\n")} },`;
  }

  /** Writes an object with either all fields or only the required ones. */
  #literal(fields: readonly Field[], isFull: boolean): string {
    const members = fields
      .filter(({ isOptional }) => isFull || !isOptional)
      .map((field) => {
        const value = this.#expression(field.type, field, isFull);
        const nullable = `make<boolean>() ? null : ${value}`;
        return `${JSON.stringify(field.jsonName)}: ${field.isNullable ? nullable : value}`;
      });
    return `{ ${members.join(", ")} }`;
  }

  #expression(
    reference: TypeReference,
    subject: Field | TypeReference,
    isFull: boolean,
  ): string {
    const { index } = this.#version;
    const type = index.resolve(reference);
    if (type.kind === "list" && !isBytes(index, type)) {
      return `[${this.#item(type.element, isFull)}]`;
    }
    if (type.kind === "map") {
      const key = JSON.stringify(this.#keysOf(type.key)?.[0] ?? "k");
      return `{ ${key}: ${this.#item(type.value, isFull)} }`;
    }
    if (type.kind === "reference") {
      const declared = index.type(type.name);
      if (declared.kind === "struct") {
        return this.#literal(declared.fields, isFull);
      }
    }
    return `make<${this.#type(reference, subject)}>()`;
  }

  #item(type: TypeReference, isFull: boolean): string {
    const value = this.#expression(type, type, isFull);
    return this.#isNullable(type) ? `make<boolean>() ? null : ${value}` : value;
  }

  #itemType(type: TypeReference): string {
    const written = this.#type(type, type);
    return this.#isNullable(type) ? `${written} | null` : written;
  }

  #isNullable(type: TypeReference): boolean {
    const aliases = this.#version.index.aliasesFrom(type);
    return aliases.some(({ isNullable }) => isNullable);
  }

  /** Reads every field at any depth. */
  #reads(fields: Message["fields"], path: string): readonly string[] {
    const { index } = this.#version;
    return fields.flatMap(({ jsonName, type }) => {
      const place = `${path}[${JSON.stringify(jsonName)}]`;
      const resolved = index.resolve(type);
      const declared =
        resolved.kind === "reference" ? index.type(resolved.name) : null;
      const inner = declared?.kind === "struct" ? declared.fields : [];
      return [`take(${place});`, ...this.#reads(inner, `${place}?.`)];
    });
  }

  #objectType(fields: Message["fields"]): string {
    const members = fields.map((field) => {
      const type = this.#type(field.type, field);
      return `${JSON.stringify(field.jsonName)}${field.isOptional ? "?" : ""}: ${field.isNullable ? `${type} | null` : type}`;
    });
    return `{ ${members.join("; ")} }`;
  }

  /** Returns the possible keys of a map, or null if every key is valid. */
  #keysOf(reference: TypeReference): readonly string[] | null {
    const { index } = this.#version;
    const type = index.resolve(reference);
    if (type.kind !== "reference") return null;
    const declared = index.type(type.name);
    if (declared.kind !== "enum") return null;
    const listed = index.constraintsOf(reference).enum?.map(String);
    return listed ?? declared.members.map(({ jsonValue }) => jsonValue);
  }

  #unionType({ isOpen, name, tag, variants }: Union): string {
    const { contract } = this.#version;
    const isEndless = variants.some((type) =>
      typesWithin(valuesOf(contract), type).has(name),
    );
    if (isEndless) return `generated.${this.#names.type(name)}`;
    const types = variants.map((each) => this.#type(each, each));
    const unknown = isOpen ? [`UnknownVariant<${JSON.stringify(tag)}>`] : [];
    return [...types, ...unknown].map((each) => `(${each})`).join(" | ");
  }

  #type(reference: TypeReference, subject: Field | TypeReference): string {
    const { index, modes } = this.#version;
    const type = index.resolve(reference);
    const listed = index.constraintsOf(subject).enum;
    if (listed !== undefined) {
      const { name } = type.kind === "scalar" ? type : { name: "" };
      const isExact = /^u?int64$/u.test(name) && modes.int64 === "bigint";
      const isBig =
        name === "bigint" || (isExact && !index.isSafeInteger(subject));
      return listed
        .map((value) => (isBig ? `${value}n` : JSON.stringify(value)))
        .join(" | ");
    }
    switch (type.kind) {
      case "list":
        return isBytes(index, type)
          ? "Uint8Array"
          : `(${this.#itemType(type.element)})[]`;
      case "map": {
        const value = this.#itemType(type.value);
        const keys = this.#keysOf(type.key);
        return keys === null
          ? `Record<string, ${value}>`
          : `{ ${keys.map((key) => `${JSON.stringify(key)}?: ${value}`).join("; ")} }`;
      }
      case "reference": {
        const declared = index.type(type.name);
        if (declared.kind === "struct") {
          return this.#objectType(declared.fields);
        }
        if (declared.kind === "union") return this.#unionType(declared);
        return declared.kind === "enum"
          ? declared.members
              .map(({ jsonValue }) => JSON.stringify(jsonValue))
              .join(" | ")
          : "never";
      }
      case "scalar":
        break;
    }
    switch (type.name) {
      case "any":
        return "unknown";
      case "bool":
        return "boolean";
      case "file":
        return "FileData";
      case "null":
        return "null";
      case "string":
        return "string";
      case "bigint":
        return "bigint";
      case "timestamp":
        return modes.timestamp === "date" ? "Date" : "string";
      case "int64":
      case "uint64":
        return modes.int64 === "bigint" && !index.isSafeInteger(subject)
          ? "bigint"
          : "number";
      default:
        return "number";
    }
  }
}

const preamble = [
  'import type { FileData } from "@ridlkit/runtime/file-data";',
  'import type { UnknownVariant } from "@ridlkit/runtime/unions";',
  "declare function make<T>(): T;",
  "declare function take<T>(value: T): void;",
  "export type Files = FileData;",
];
