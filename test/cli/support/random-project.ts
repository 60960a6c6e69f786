/**
 * A project with several hosts that can be edited randomly. Numbers determine
 * all choices, so a seed reproduces a run.
 */
export interface RandomProject {
  /** The project's files by path. */
  readonly files: () => Readonly<Record<string, string>>;
  /** Makes one edit, which depends only on the numbers. */
  readonly edit: (numbers: readonly number[]) => void;
}

interface Type {
  name: string;
  docs: string;
  fields: Field[];
}

interface Field {
  name: string;
  type: string;
  docs: string;
  isOptional: boolean;
  limit: string;
}

interface Method {
  name: string;
  request: string;
  response: string;
  notes: string;
}

interface Document {
  readonly name: string;
  imports: string[];
  errors: string[];
  types: Type[];
  service: string | null;
  methods: Method[];
}

// Some are also names in the runtime or in validators.
const typeNames = "Order Item Call Price Box Tag ListOf Entry Id".split(" ");
const fieldNames = "id owner price tags status matrix note at".split(" ");
const methodNames = "Ping Get Find Pattern Create".split(" ");
const scalars = [
  "string",
  "bool",
  "uint32",
  "int64",
  "bigint",
  "timestamp",
  "Address",
  "Status",
];

/**
 * Creates a project with `hostCount` hosts and a document that they share.
 *
 * Input: additional files and additional lines of configuration.
 */
export function createRandomProject(
  hostCount: number,
  { config = "", ...others }: Readonly<Record<string, string>> = {},
): RandomProject {
  const options = { int64: "number", timestamp: "string" };
  const documents = [createCommon()];
  for (let index = 0; index < hostCount; index++) {
    documents.push(createHost(index));
  }
  const files = (): Record<string, string> => ({
    "ridl.config.yaml": [
      "schema:",
      "  - schema/*.ridl",
      ...Object.entries(options).map(([key, value]) => `${key}: ${value}`),
      config,
    ].join("\n"),
    ...others,
    ...Object.fromEntries(
      documents.map((each) => [`schema/${each.name}.ridl`, print(each)]),
    ),
  });
  const edit = ([kind = 0, ...numbers]: readonly number[]): void => {
    if (kind % 25 === 24) {
      options.timestamp = options.timestamp === "date" ? "string" : "date";
    } else if (kind % 25 === 23) {
      options.int64 = options.int64 === "number" ? "bigint" : "number";
    } else editDocument(documents, kind, numbers);
  };
  return { files, edit };
}

function createCommon(): Document {
  return {
    name: "common",
    imports: [],
    errors: ["error 1101 Denied", "error 2000 InvalidArgument"],
    types: [createType("Shared", 3), createType("Inner", 5)],
    service: null,
    methods: [ping()],
  };
}

function createHost(index: number): Document {
  const name = `host${index}`;
  return {
    name,
    imports: ["common"],
    errors: [],
    types: [0, 1].map((each) =>
      createType(`${typeNames[index * 2 + each] ?? "More"}${index}`, each),
    ),
    service: index === 0 ? "Id" : `Shop${index}`,
    methods: [ping()],
  };
}

function ping(): Method {
  return { name: "Ping", request: "", response: "", notes: "" };
}

function createType(name: string, number: number): Type {
  return { name, docs: "", fields: [createField([number, number, 0])] };
}

function createField(
  [name = 0, type = 0, limit = 0]: readonly number[],
  others: readonly string[] = [],
): Field {
  const inner = pick([...scalars, ...others], type);
  return {
    name: pick(fieldNames, name),
    type: pick([inner, inner, `[]${inner}`, `map<string,${inner}>`], limit),
    docs: "",
    isOptional: limit % 3 === 1,
    limit: inner === "string" && limit % 4 === 1 ? "pattern = ^a+$" : "",
  };
}

function editDocument(
  documents: Document[],
  kind: number,
  [at = 0, first = 0, second = 0, third = 0]: readonly number[],
): void {
  // Edits the shared document less often than the others.
  const document = pick([...documents, ...documents.slice(1)], at);
  const type = pick(document.types, first);
  const field = pick(type.fields, second);
  const method = pick(document.methods, first);
  const seen = [...document.types, ...(documents[0]?.types ?? [])];
  const names = seen.map(({ name }) => name);
  switch (kind % 25) {
    case 0:
    case 1:
    case 2:
    case 3:
      type.fields.push(createField([second, third, at], names));
      break;
    case 4:
      if (type.fields.length > 1) type.fields.pop();
      break;
    case 5:
      field.name = pick(fieldNames, third);
      break;
    case 6:
      Object.assign(field, createField([third, first, second], names));
      break;
    case 7:
      field.docs = pick(["", "Edited.", "origin: public\n  # Said."], third);
      break;
    case 8:
      type.docs = pick(["", "About it.", "origin: stated 4"], third % 8);
      break;
    case 9:
      field.limit = pick(["", "pattern = ^b*$", "maxLength = 9"], third);
      break;
    case 10:
      field.isOptional = !field.isOptional;
      break;
    case 11:
      rename(document, type, `${pick(typeNames, second)}${third % 3}`);
      break;
    case 12:
      document.types.push(createType(`${pick(typeNames, second)}${third}`, at));
      break;
    case 13:
      if (document.types.length > 2) document.types.pop();
      break;
    case 14:
      // Moves the type to a document that all hosts import. One type stays for
      // later edits.
      documents[0]?.types.push(type);
      if (document !== documents[0] && document.types.length > 1) {
        document.types = document.types.filter((each) => each !== type);
      }
      break;
    case 15:
      document.errors.push(`error ${3000 + second} Failed${third % 9}`);
      break;
    case 16:
      document.errors.splice(0, 1);
      break;
    case 17:
    case 18:
      if (document.service !== null) {
        document.methods.push({
          name: pick(methodNames, second),
          request: pick(names, third),
          response: pick(names, first),
          notes: "",
        });
      }
      break;
    case 19:
      method.response = pick(["", ...names], second);
      break;
    case 20:
      method.notes = pick(["# Docs.", "@deprecated", "@readonly"], second);
      break;
    case 21:
      document.types.reverse();
      break;
    case 22:
      document.imports = document.imports.length > 0 ? [] : ["common"];
      break;
  }
}

/** Renames a type in its document. Other documents keep the old name. */
function rename(document: Document, type: Type, name: string): void {
  const old = new RegExp(`\\b${type.name}\\b`, "gu");
  for (const { fields } of document.types) {
    for (const field of fields) field.type = field.type.replace(old, name);
  }
  for (const method of document.methods) {
    method.request = method.request.replace(old, name);
    method.response = method.response.replace(old, name);
  }
  type.name = name;
}

const sharedTypes = `# Who.
type Address: string
  + pattern = "^0x[0-9a-f]*$"

type Key: string
  + header = X-Key
  + error = Denied

enum Status: string
  - open
  - closed
`;

function print(document: Document): string {
  const { name, imports, errors, types, service, methods } = document;
  const lines = [
    `webrpc = v1\nname = ${name}\nversion = v1.0.0\n`,
    ...imports.map((path) => `import "${path}.ridl"\n`),
    ...errors.map((error) => `${error} "failed" HTTP 400\n`),
    service === null ? sharedTypes : "",
    ...types.map(printType),
    ...(service === null
      ? []
      : [`service ${service}`, ...methods.map(printMethod)]),
  ];
  return `${lines.join("\n")}\n`;
}

function printType({ name, docs, fields }: Type): string {
  const unique = new Map(fields.map((field) => [field.name, field]));
  const text = [...unique.values()].map(printField).join("");
  return `${docs === "" ? "" : `# ${docs}\n`}struct ${name}\n${text}`;
}

function printField({ name, type, docs, isOptional, limit }: Field): string {
  const comment = docs === "" ? "" : `  # ${docs}\n`;
  const metadata =
    limit === ""
      ? ""
      : `    + ${limit.replace("= ^", '= "^').replace(/\$$/u, '$"')}\n`;
  return `${comment}  - ${name}${isOptional ? "?" : ""}: ${type}\n${metadata}`;
}

function printMethod({ name, request, response, notes }: Method): string {
  const output = response === "" ? "(ok: bool)" : `(${response})`;
  const input = request === "" ? "(id: Address, n?: int64)" : `(${request})`;
  const above = notes === "" ? "" : `  ${notes}\n`;
  return `${above}  @auth:"X-Key"\n  - ${name}${input} => ${output}`;
}

/**
 * Returns the element at an index derived from a number. The list must not be
 * empty.
 */
function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
