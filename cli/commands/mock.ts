import { posix } from "node:path/posix";
import { findExplorerFiles } from "../../generator/4-emit/docs/docs.js";
import type { DocsOptions } from "../../generator/4-emit/docs/docs-options.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { Diagnosed } from "../../generator/diagnostics/diagnostic.js";
import type { LoadedFunction } from "../../tools/loaded.js";
import type { MockBehavior } from "../../tools/mock/mock-handler.js";
import {
  createMockListener,
  explorerPath,
  mockListenerFiles,
} from "../../tools/mock/mock-server.js";
import { overrideFiles, readOverrides } from "../../tools/mock/overrides.js";
import { settingOf } from "../config/config.js";
import { exactOptions, loadGenerated } from "../project/load-generated.js";
import type { Project, ProjectFlags } from "../project/project.js";
import { printSchemas } from "../project/print-schemas.js";
import { readBelow, readExplorer } from "../project/runtime-sources.js";
import { hasErrors, report, say } from "../report/report.js";
import { exitCodes } from "../system/exit-codes.js";
import { resolvePath } from "../system/paths.js";
import { codeOf, type System, UsageError } from "../system/system.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl mock` before they are parsed. */
export interface MockFlags extends ProjectFlags {
  readonly port: string;
  readonly host: string;
  readonly seed: string;
  readonly latency: string;
  readonly errorRate: string;
  readonly overrides?: string;
}

/**
 * `ridl mock`: serves a contract with mock data until the user interrupts it.
 * Errors: a {@link UsageError} for an invalid flag, or if the server cannot
 * listen on the port.
 */
export async function mock(
  patterns: readonly string[],
  flags: MockFlags,
  system: System,
): Promise<number> {
  const port = readNumber("port", flags.port, 65_535);
  const behavior = {
    seed: flags.seed,
    latencyMs: readLatency(flags.latency),
    errorRate: readNumber("error-rate", flags.errorRate, 1),
  };
  return withContract(patterns, flags, "text", system, (opened) =>
    serve(opened, { ...flags, ...behavior, port }, system),
  );
}

/** Flags after they are parsed. */
type Settings = Omit<MockBehavior, "overrides"> &
  Pick<MockFlags, "host" | "overrides"> & { readonly port: number };

async function serve(
  { checked, contract, diagnostics, project }: OpenedContract,
  settings: Settings,
  system: System,
): Promise<number> {
  // Listen for interrupts first, so that Ctrl-C never leaves generated code
  // behind.
  const interrupted = system.untilInterrupted();
  const plan = createPlan(contract, {
    ...exactOptions(project.config.options),
    runtimeFiles: [...mockListenerFiles, ...overrideFiles],
  });
  const schemas = printSchemas(contract, checked);
  const pages = readExplorerFiles(plan, project, schemas, system);
  const { value, diagnostics: faults } = await load(
    plan,
    pages,
    settings,
    system,
  );
  const found = [...diagnostics, ...faults];
  report(found, "text", system);
  if (value === null) return exitCodes.failure;
  const server = await listen(value, settings, system);
  say(describe(plan, urlOf(settings.host, server.port)), "text", system);
  await interrupted;
  await server.close();
  return exitCodes.success;
}

/** Generates and loads the request handlers. Returns null after an error. */
async function load(
  plan: Plan,
  explorerFiles: Readonly<Record<string, string>>,
  settings: Settings,
  system: System,
): Promise<Diagnosed<LoadedFunction | null>> {
  const texts = readFolder(settings.overrides, system);
  // Only overrides need the client, which parses them like responses.
  const targets = ["server", "mock", ...(texts.size > 0 ? ["client"] : [])];
  const generated = await loadGenerated(
    plan.contract,
    targets.map((name) => ({ name })),
    plan.options,
    system,
  );
  try {
    const { load } = generated;
    const { value, diagnostics } = await readOverrides(texts, plan, load);
    if (hasErrors(diagnostics)) return { value: null, diagnostics };
    const print = (line: string) => system.stderr.write(`${line}\n`);
    const parts = { plan, load, explorerFiles, print };
    const behavior = { ...settings, overrides: value };
    return { value: await createMockListener(parts, behavior), diagnostics };
  } finally {
    generated.remove();
  }
}

/**
 * Returns the explorer's files. The page and its downloads are printed on
 * request.
 */
function readExplorerFiles(
  { contract, options }: Plan,
  { config }: Project,
  schemas: ReadonlyMap<string, string>,
  system: System,
): Readonly<Record<string, string>> {
  const files = Object.fromEntries(readExplorer(system));
  const { hosts } = contract;
  const addresses = Object.fromEntries(hosts.map(({ name }) => [name, "/"]));
  const docs: DocsOptions = { ...Object(settingOf(config, "docs")), addresses };
  const context = { schemas, outputFolder: config.out };
  for (const { path, print } of findExplorerFiles(
    contract,
    options,
    docs,
    context,
  )) {
    Object.defineProperty(files, posix.basename(path), { get: print });
  }
  return files;
}

/** Reads all JSON files below a folder, by relative path. */
function readFolder(
  folder: string | undefined,
  system: System,
): ReadonlyMap<string, string> {
  if (folder === undefined) return new Map();
  const root = resolvePath(system.workingFolder, folder);
  if (system.listFolder(root) === null) {
    throw new UsageError(`there is no folder \`${folder}\``);
  }
  return readBelow(system, root, /\.json$/u);
}

async function listen(
  listener: Parameters<System["listen"]>[0],
  { host, port }: Settings,
  system: System,
): ReturnType<System["listen"]> {
  try {
    return await system.listen(listener, { host, port });
  } catch (error) {
    const isTaken = codeOf(error) === "EADDRINUSE";
    if (!isTaken) {
      throw new UsageError(
        `cannot listen on port ${port} on ${host}: ${codeOf(error)}`,
        "`--host` must be an address of this machine, and `--port` a port that you are allowed to use",
      );
    }
    throw new UsageError(
      `port ${port} on ${host} is in use`,
      "choose another port with `--port`; `--port 0` picks a free one",
    );
  }
}

/** Returns the URL of the server, with an IPv6 address in brackets. */
function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Lists the addresses of the server, its explorer and its hosts. */
function describe(plan: Plan, base: string): readonly string[] {
  const rows = plan.hosts
    .filter(({ inbound }) => inbound.length > 0)
    .map(({ host }) => [host.name, base + host.basePath.text] as const);
  const all = [["explorer", base + explorerPath(plan)] as const, ...rows];
  const width = Math.max(...all.map(([name]) => name.length));
  return [
    `mock server at ${base}; press Ctrl-C to stop`,
    ...all.map(([name, url]) => `  ${name.padEnd(width)}  ${url}`),
  ];
}

function readNumber(flag: string, text: string, most: number): number {
  const value = Number(text);
  const isFraction = most === 1;
  const isAllowed = isFraction || Number.isInteger(value);
  if (/^[\d.]+$/u.test(text) && isAllowed && value <= most) return value;
  const what = isFraction ? "number" : "whole number";
  throw new UsageError(`\`--${flag}\` must be a ${what} from 0 to ${most}`);
}

/** Parses a number of milliseconds, or a range such as `100-400`. */
function readLatency(text: string): MockBehavior["latencyMs"] {
  const [, from = "", to = from] =
    /^(\d{1,6})(?:-(\d{1,6}))?$/u.exec(text) ?? [];
  if (from === "" || Number(to) < Number(from)) {
    throw new UsageError(
      "`--latency` must be a number of milliseconds or a range",
      "write `--latency 100` or `--latency 100-400`",
    );
  }
  return [Number(from), Number(to)];
}
