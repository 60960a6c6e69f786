import { readdirSync, readFileSync } from "node:fs";
import { docsEmitter } from "../../generator/4-emit/docs/docs.js";
import { createExplorerData } from "../../generator/4-emit/docs/create-data.js";
import type { DocsOptions } from "../../generator/4-emit/docs/docs-options.js";
import type {
  EmitContext,
  EmitOptions,
} from "../../generator/4-emit/emitter/emitter.js";
import type { ExplorerData } from "../../generator/4-emit/docs/explorer-data.js";
import {
  createModel,
  type Entry,
  type Model,
} from "../../apps/explorer/calls/model.js";
import type { Connection } from "../../apps/explorer/calls/request.js";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import { goldenCases } from "../support/golden-cases.js";

const options: EmitOptions = {
  int64: "bigint",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/** Returns the contract in `schema/` and its options. */
export function platformCase(): {
  readonly contract: Contract;
  readonly options: EmitOptions;
} {
  const hosts = readdirSync("schema").filter((name) =>
    /(?<!^common|^errors)\.ridl$/u.test(name),
  );
  const { value } = compileContract(
    hosts.map((name) => `schema/${name}`),
    { read: (path) => readFileSync(path, "utf8") },
  );
  if (value === null) throw new Error("schema/ does not compile");
  return { contract: value, options };
}

/** Returns the model of a golden case, as its page contains it. */
export function goldenModel(name: string): Model {
  const golden = goldenCases().find((each) => each.name === name);
  if (golden === undefined) throw new Error(`no case ${name}`);
  const { contract, options, settings } = golden;
  const docs: DocsOptions = Object(settings["docs"]);
  return createModel(createExplorerData(contract, options, docs));
}

/** Returns the model of a contract. */
export function modelOf(text: string, name = "sample"): Model {
  const head = `webrpc = v1\nname = ${name}\nversion = v1.0.0\n\n`;
  const { value } = compileContract(["sample.ridl"], {
    read: () => head + text,
  });
  if (value === null) throw new Error("the contract does not compile");
  return createModel(createExplorerData(value, options, {}));
}

/** Returns the emitted page and the data in it. */
export function emittedData(
  contract: Contract,
  options: EmitOptions,
  docs: DocsOptions = {},
  context?: EmitContext,
): { readonly html: string; readonly data: ExplorerData } {
  const [index] = docsEmitter.with(docs).emit(contract, options, context);
  const html = index?.text ?? "";
  return { html, data: dataIn(html) };
}

/** Returns the data in an emitted page. */
export function dataIn(html: string): ExplorerData {
  const [, json = ""] =
    /<script type="application\/json" id="contract">\n([^]*?)<\/script>/u.exec(
      html,
    ) ?? [];
  return JSON.parse(json);
}

/** Returns a method by its ID. */
export function entryOf(model: Model, id: string): Entry {
  const entry = model.find(id);
  if (entry === null) throw new Error(`no method ${id}`);
  return entry;
}

/** Returns a connection with the values that a user has entered. */
export function connectionOf(
  addresses: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>> = {},
  credentials: Readonly<Record<string, string>> = {},
): Connection {
  return {
    addresses: new Map(Object.entries(addresses)),
    parameters: new Map(Object.entries(parameters)),
    credentials: new Map(Object.entries(credentials)),
  };
}
