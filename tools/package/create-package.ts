import type {
  EmitOptions,
  OutputFile,
  Emitter,
  TemplateSet,
} from "../../generator/4-emit/emitter/emitter.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { Contract } from "../../generator/ir/contract.js";
import type { PackageDetails } from "./details.js";
import { listEntryPoints, type EntryPoint } from "./entry-points.js";
import { createReadmeContext } from "./readme-context.js";
import type { PackageView } from "../../generator/4-emit/view/package-view.js";
import { createReadmeView } from "./create-readme-view.js";
import packageSet from "../../generator/4-emit/templates/own/package-set.json" with { type: "json" };
import { findOwnSet } from "../../generator/4-emit/templates/template-set.js";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import { hostFolders } from "../../generator/4-emit/names/host-folders.js";
import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import { addDeclarationMaps } from "../editor/trace/declaration-map.js";
import { traceNames } from "../editor/trace/trace-names.js";
import { escapeInJson } from "../../generator/4-emit/emitter/invisible.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import { importsOf } from "../../generator/4-emit/copy-runtime.js";
import type { Target } from "../../generator/4-emit/emitter/target.js";
import { webhooksEmitter } from "../../generator/4-emit/typescript/server/server.js";

/**
 * Creates the npm package of a contract's client: JavaScript and declarations
 * in `dist/`, package.json, README.md and SKILL.md. Its only dependency is
 * `@ridlkit/runtime`, unless `options` add a peer dependency.
 *
 * Input: `options` for generated code, of which `language`, `runtime` and
 * `importExtension` are ignored. `schemas` is the RIDL of hosts by the paths of
 * their documents. It becomes part of the package, and declaration maps refer
 * to it. `targets` are those of the client. Others are ignored. `pages` are the
 * templates of its README and its skill. Returns the files sorted by path. The same input
 * always results in the same bytes.
 */
export function createPackage(
  contract: Contract,
  details: PackageDetails,
  options: EmitOptions,
  targets: readonly Target[],
  schemas: ReadonlyMap<string, string> = new Map(),
  { files: pages, render }: TemplateSet = findOwnSet(packageSet),
): readonly OutputFile[] {
  const chosen: EmitOptions = {
    ...options,
    language: "javascript",
    runtime: "import",
    importExtension: ".js",
  };
  const { entries, files, runtimeEntries } = emitClientFiles(
    contract,
    targets,
    chosen,
  );
  const entryPoints = listEntryPoints(entries);
  const readme = createReadmeContext(
    contract,
    chosen,
    targets,
    details.name,
    entryPoints,
    runtimeEntries,
  );
  const view = createReadmeView(readme);
  const mapped = mapToSchemas(createPlan(contract, chosen), files, schemas);
  return [
    ...pages.map(({ path, template }) => ({
      path,
      text: render(template, view),
    })),
    ...mapped.files.map(({ path, text }) => ({ path: `dist/${path}`, text })),
    {
      path: "package.json",
      text: printPackageJson(contract, details, targets, entryPoints),
    },
    ...mapped.schemas,
  ];
}

/** Files of a package whose declarations are mapped to its schema. */
interface MappedFiles {
  /** Paths relative to `dist`. */
  readonly files: readonly OutputFile[];
  readonly schemas: readonly OutputFile[];
}

/**
 * Adds declaration maps that point from the client to the RIDL in the package.
 */
function mapToSchemas(
  plan: Plan,
  files: readonly OutputFile[],
  texts: ReadonlyMap<string, string>,
): MappedFiles {
  const folders = hostFolders(plan.contract);
  const paths = new Map(
    plan.contract.hosts.map((host) => [
      host.document,
      `schema/${folders.get(host) ?? ""}.ridl`,
    ]),
  );
  const documents = Array.from(
    texts,
    ([path, text]) => parseDocument({ path, text }).value,
  );
  const findOrigin = traceNames(plan, documents);
  return {
    files: addDeclarationMaps(files, findOrigin, (document, path) => {
      // The path from the file's folder to the package's folder.
      const up = "../".repeat(path.split("/").length);
      return `${up}${paths.get(document) ?? ""}`;
    }),
    schemas: Array.from(texts, ([document, text]) => ({
      path: paths.get(document) ?? "",
      text,
    })),
  };
}

/** Keys of package.json that ridlkit controls. Existing values are not kept. */
const own: ReadonlySet<string> = new Set([
  ..."name version description type sideEffects engines exports types".split(
    " ",
  ),
  ..."files dependencies optionalDependencies".split(" "),
  ..."peerDependencies peerDependenciesMeta".split(" "),
]);

/** Prints package.json: generated keys, and others that are kept. */
function printPackageJson(
  contract: Contract,
  { name, version, runtimeVersion, kept }: PackageDetails,
  targets: readonly Target[],
  entryPoints: readonly EntryPoint[],
): string {
  const others = Object.entries(kept).filter(([key]) => !own.has(key));
  const data = {
    name,
    version,
    description: describe(contract),
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: exportsOf(entryPoints),
    types: "./dist/index.d.ts",
    files: ["dist", "schema", "CHANGELOG.md", "SKILL.md"],
    dependencies: { "@ridlkit/runtime": `^${runtimeVersion}` },
    ...peersOf(
      targets.filter(({ packaged }) =>
        entryPoints.some(({ file }) => file.endsWith(`/${packaged?.entry}`)),
      ),
    ),
    ...Object.fromEntries(others),
  };
  return escapeInJson(`${JSON.stringify(data, null, 2)}\n`);
}

/** Returns optional peer dependencies, which only some users need. */
function peersOf(targets: readonly Target[]): object {
  const versions = targets.flatMap(({ packaged }) =>
    Object.entries(packaged?.peers ?? {}),
  );
  if (versions.length === 0) return {};
  return {
    peerDependencies: Object.fromEntries(versions),
    peerDependenciesMeta: Object.fromEntries(
      versions.map(([name]) => [name, { optional: true }]),
    ),
  };
}

function describe({ hosts }: Contract): string {
  const names = hosts.map(({ name }) => name).join(", ");
  return `Typed client for ${names}.`;
}

function exportsOf(entryPoints: readonly EntryPoint[]): object {
  const entries = entryPoints.map(({ subpath, file }) => [
    subpath,
    { types: `./${file}.d.ts`, default: `./${file}.js` },
  ]);
  return {
    ...Object.fromEntries(entries),
    "./package.json": "./package.json",
  };
}

/** The code of a package: JavaScript and its declarations. */
interface ClientFiles {
  /** Files that users import, without extensions, in path order. */
  readonly entries: readonly string[];
  /** Entry points of `@ridlkit/runtime` that users need, e.g. `errors`. */
  readonly runtimeEntries: PackageView["runtimeEntries"];
  /** The entries and everything that they import, in path order. */
  readonly files: readonly OutputFile[];
}

/**
 * Emits the client, types and errors of a contract, and receivers of webhooks,
 * in JavaScript.
 */
function emitClientFiles(
  contract: Contract,
  targets: readonly Target[],
  options: EmitOptions,
): ClientFiles {
  const context = { runtimeSources: new Map<string, string>() };
  const emitters: readonly Emitter[] = [...targets, webhooksEmitter];
  const emitted = emitContract(contract, emitters, options, context);
  const modules = targets.flatMap(({ packaged }) => packaged?.entry ?? []);
  const names = new Set(["webhooks", ...modules].map((name) => `${name}.js`));
  const entries = emitted
    .filter(({ path }) => names.has(path.replace(/^.*\//u, "")))
    .map(({ path }) => withoutEnding(path));
  const reached = reachableFrom(entries, emitted);
  return {
    entries,
    runtimeEntries: runtimeEntriesFor(emitted),
    files: emitted.filter(({ path }) => reached.has(withoutEnding(path))),
  };
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\.js|\.d\.ts)$/u, "");
}

function reachableFrom(
  entries: readonly string[],
  files: readonly OutputFile[],
): ReadonlySet<string> {
  const imports = new Map(
    files.map(({ path, text }) => [path, importsOf(path, text)]),
  );
  const reached = new Set(entries);
  for (const name of reached) {
    for (const path of [`${name}.js`, `${name}.d.ts`]) {
      for (const target of imports.get(path) ?? []) reached.add(target);
    }
  }
  return reached;
}

function runtimeEntriesFor(
  files: readonly OutputFile[],
): PackageView["runtimeEntries"] {
  const isUsed = (entry: string): boolean =>
    files.some(({ text }) => text.includes(`"@ridlkit/runtime/${entry}"`));
  const used = {
    client: true,
    errors: true,
    "file-data":
      isUsed("transfer") ||
      isUsed("codegen/send-file") ||
      isUsed("codegen/send-parts"),
    interceptors: true,
    // Receivers use `Request` and `Response`, which Node.js servers do not.
    node: isUsed("codegen/receiver"),
    // Senders sign webhooks.
    "sign-webhooks": isUsed("codegen/receiver"),
    stream: isUsed("stream"),
    transfer: isUsed("transfer"),
  };
  return runtimeNames.filter((name) => used[name]);
}

const runtimeNames = [
  "client",
  "errors",
  "file-data",
  "interceptors",
  "node",
  "sign-webhooks",
  "stream",
  "transfer",
] as const;
