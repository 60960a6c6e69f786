import {
  deferredEmitters,
  emitters,
  targetNames,
} from "../../../generator/4-emit/registry.js";
import { emitContract } from "../../../generator/4-emit/emit.js";
import type {
  EmitContext,
  EmitOptions,
  Emitter,
  OutputFile,
} from "../../../generator/4-emit/emitter/emitter.js";
import { compileContract } from "../../../generator/compile.js";
import type { ReferencePart } from "./index-page.js";

/** The handwritten description of a target. */
interface TargetText {
  readonly does: string;
  /** The page that explains the target. */
  readonly guide: string;
  /**
   * The setting that enables the target in addition to `emit`. Absent for
   * default targets.
   */
  readonly setting?: string;
}

const texts: Readonly<Record<string, TargetText>> = {
  types: {
    does: "Types for all messages, structs, and enums.",
    guide: "ridl.md#types-and-the-wire",
  },
  errors: {
    does: "A class for each error in the contract, and a union type for the errors of each method.",
    guide: "client.md#calls",
  },
  validators: {
    does: "A validator for each message and type. Servers validate requests and responses, and clients can validate responses.",
    guide: "server.md#responses",
  },
  codecs: {
    does: "Conversions for types whose JSON and TypeScript forms differ.",
    guide: "ridl.md#types-and-the-wire",
  },
  client: {
    does: "A client for each service, a constant for each method, and senders for webhooks.",
    guide: "client.md",
  },
  server: {
    does: "A function that creates a server from your handlers, and functions that create webhook receivers.",
    guide: "server.md",
  },
  index: {
    does: "A module that exports types, errors, and clients.",
    guide: "client.md",
  },
  query: {
    does: "TanStack Query options for each method.",
    guide: "query.md",
    setting: "query: react",
  },
  schemas: {
    does: "A Standard Schema for each request, response, and struct.",
    guide: "schemas.md",
    setting: "schemas: true",
  },
  compat: {
    does: "A client with the same names as webrpc's own.",
    guide: "switching-from-webrpc.md",
    setting: "compat: webrpc",
  },
  docs: {
    does: "The explorer, a page that shows the contract and calls its methods.",
    guide: "explorer.md",
    setting: "docs: {}",
  },
  "json-schema": {
    does: "The JSON Schema of all messages and types.",
    guide: "openapi.md#json-schema",
    setting: "jsonSchema: true",
  },
  markdown: {
    does: "Markdown documentation for each host.",
    guide: "markdown.md",
    setting: "markdown: true",
  },
  mcp: {
    does: "Model Context Protocol tools.",
    guide: "mcp.md",
    setting: "mcp: all",
  },
  mock: {
    does: "Handlers that respond with mock data.",
    guide: "mock.md",
    setting: "mock: true",
  },
  openapi: {
    does: "An OpenAPI document.",
    guide: "openapi.md",
    setting: "openapi: {}",
  },
  "schemas-with-json": {
    does: "The Standard Schemas with their JSON Schema.",
    guide: "schemas.md#json-schema",
    setting: "schemasWithJson: true",
  },
};

/** Lists targets without descriptions and descriptions without targets. */
export function findStrayTargets(): readonly string[] {
  const names = new Set(targetNames);
  return [
    ...targetNames.filter((name) => texts[name] === undefined),
    ...Object.keys(texts).filter((name) => !names.has(name)),
  ];
}

/** The targets as the first page of the reference lists them. */
export const targetsPart: ReferencePart = {
  title: "Targets",
  intro:
    "Each target is a part of the output of `ridl generate`. [`emit`](settings/emit.md) selects targets.",
  links: targetNames.map((name) => [
    `[\`${name}\`](targets/${name}.md)`,
    texts[name]?.does ?? "",
  ]),
};

const contract = `webrpc = v1
name = shop
version = v1.0.0

error 1404 BookNotFound "Book not found" HTTP 404

struct Book
  - isbn: string
  - title: string
  - published: timestamp

# A small book shop.
service Shop
  # Returns one book.
  @readonly
  - GetBook(isbn: string) => (book: Book) errors BookNotFound
`;

const options: EmitOptions = {
  int64: "number",
  timestamp: "date",
  runtime: "import",
  importExtension: ".js",
  compat: "webrpc",
  query: "react",
  mcp: "all",
  schemas: true,
  docs: {},
  mock: true,
  jsonSchema: true,
  markdown: true,
  openapi: {},
  schemasWithJson: true,
};

const context: EmitContext = {
  runtimeSources: new Map(),
  explorerFiles: new Map([
    ["explorer.css", ""],
    ["explorer.js", ""],
  ]),
};

/**
 * Prints a page for each target, by file name, with its output for a small
 * contract.
 */
export async function printTargets(): Promise<ReadonlyMap<string, string>> {
  const path = "shop.ridl";
  const { diagnostics, value } = compileContract([path], {
    read: (each) => (each === path ? contract : null),
  });
  if (value === null || diagnostics.length > 0) {
    throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  }
  const deferred = Object.values(deferredEmitters).map((load) => load());
  const all = [...emitters, ...(await Promise.all(deferred))];
  return new Map(
    all.map((emitter) => [
      `${emitter.name}.md`,
      printTarget(emitter, emitContract(value, [emitter], options, context)),
    ]),
  );
}

const listFormat = new Intl.ListFormat("en");

function printTarget(
  { name, needs = [] }: Emitter,
  files: readonly OutputFile[],
): string {
  const { does = "", guide = "", setting } = texts[name] ?? {};
  const isDefault = setting === undefined;
  const links = needs.map((each) => `[\`${each}\`](${each}.md)`);
  const page = guide.replace(/#.*/u, "");
  const settings = ["schema: [shop.ridl]", "timestamp: date"];
  return `${[
    `# \`${name}\` target`,
    `${does} See [${page}](../../${guide}).`,
    isDefault
      ? `This target is generated by default. To keep it when you set [\`emit\`](../settings/emit.md), include \`${name}\`.`
      : `To generate this target, add \`${name}\` to [\`emit\`](../settings/emit.md), or use the setting below.`,
    ...(links.length > 0
      ? [
          `This target depends on ${listFormat.format(links)}, which ridlkit generates along with it.`,
        ]
      : []),
    "## Example",
    `For the following contract and settings, this target writes ${listFormat.format(files.map(({ path }) => `\`${path}\``))}.`,
    `\`\`\`ridl shop.ridl\n${contract}\`\`\``,
    `\`\`\`yaml\n${[...settings, ...(isDefault ? [] : [setting])].join("\n")}\n\`\`\``,
    ...files.flatMap(printFile),
  ].join("\n\n")}\n`;
}

/** A longer excerpt would obscure the rest of the page. */
const maxLines = 120;

function printFile({ path, text }: OutputFile): readonly string[] {
  const language = /\.(ts|md|json|yaml)$/u.exec(path)?.[1];
  if (language === undefined) return [];
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, maxLines).join("\n");
  const fence = language === "md" ? "````" : "```";
  const rest = lines.length - maxLines;
  return [
    `${fence}${language} generated/${path}\n${shown}\n${fence}`,
    ...(rest > 0 ? [`The file has ${rest} more lines.`] : []),
  ];
}
