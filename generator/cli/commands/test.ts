import { createPlan } from "../../4-emit/typescript/plan/create-plan.js";
import type { HostPlan } from "../../4-emit/typescript/plan/plan.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Contract } from "../../ir/contract.js";
import type { KnownValues } from "../../tools/test/draw-message.js";
import { fillPath } from "../../tools/test/drawn-request.js";
import type { TestedMethod } from "../../tools/test/tested-method.js";
import { quoteShell, variableOf } from "../../tools/test/print-curl.js";
import { printJson } from "../../tools/test/print-json.js";
import { printJunit } from "../../tools/test/print-junit.js";
import { printText } from "../../tools/test/print-text.js";
import { createReference } from "../../tools/test/reference.js";
import {
  failuresOf,
  requestsOf,
  type TestReport,
} from "../../tools/test/report.js";
import { send } from "../../tools/test/send.js";
import { selectMethods, testMethods } from "../../tools/test/test-contract.js";
import type { TestOptions } from "../../tools/test/test-method.js";
import { exactOptions, loadGenerated } from "../project/load-generated.js";
import type { ProjectFlags } from "../project/project.js";
import { exitCodes } from "../system/exit-codes.js";
import type { System } from "../system/system.js";
import { UsageError } from "../system/usage-error.js";
import { checkHeader, readPairs, type ServerFlags } from "./server-flags.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl test`. */
export interface TestFlags extends ProjectFlags, ServerFlags {
  readonly value: readonly string[];
  readonly method?: string;
  readonly writes?: boolean;
  readonly webrpc?: boolean;
  readonly seed?: number;
  readonly runs: number;
  /** In seconds. */
  readonly timeout: number;
  /** In seconds. */
  readonly maxTime: number;
  readonly format: TestFormat;
}

/** How the report of `ridl test` is written. */
export type TestFormat = "text" | "json" | "junit";

/**
 * `ridl test`: tests a running server against the contract.
 *
 * Input: the address of the server, then documents. Output: the exit code.
 * Errors: a {@link UsageError} for flags that say nothing about the contract, if
 * no method is left to be tested, and if nothing answers at the address.
 */
export async function testServer(
  [url = "", ...patterns]: readonly string[],
  flags: TestFlags,
  system: System,
): Promise<number> {
  checkAddress(url);
  return withContract(patterns, flags, "text", system, (opened) =>
    testOpened([url, ...patterns], flags, opened, system),
  );
}

async function testOpened(
  [url = "", ...patterns]: readonly string[],
  flags: TestFlags,
  { contract, project }: OpenedContract,
  system: System,
): Promise<number> {
  const emitOptions = exactOptions(project.config.options);
  const plan = createPlan(contract, emitOptions);
  const { operations, skipped } = selectMethods(plan, {
    match: flags.method ?? null,
    writes: flags.writes ?? false,
  });
  if (operations.length === 0) {
    throw new UsageError(
      "no method is left to be tested",
      skipped.length > 0
        ? "only methods marked `@readonly` and REST reads are called unless `--writes` is given"
        : "`--method` takes names such as `Shop.GetBook` or `Shop.*`",
    );
  }
  const headers = readHeaders(flags, operations, system);
  const options = readOptions(url, flags, headers, plan.hosts);
  checkParameters(operations, options);
  warnOfUnknownValues(options.values, contract, system);
  await checkAnswers(operations, options);
  const modules = await loadGenerated(
    contract,
    ["server", "validators"],
    emitOptions,
    system,
  );
  // Without its files once it is loaded, so that an interrupted run leaves none.
  const reference = await createReference(plan, modules.load, headers).finally(
    () => modules.remove(),
  );
  const count = operations.length;
  const methods = await testMethods(operations, reference, options, (done) =>
    showProgress(done, count, system),
  );
  const { seed } = options;
  const command = repeatCommand([url, ...patterns], flags, seed);
  const report = { url, seed, methods, skipped, command };
  system.stdout.write(print(report, flags.format));
  return exitCodeOf(report);
}

function exitCodeOf(report: TestReport): number {
  if (requestsOf(report) === 0) return exitCodes.usage;
  return failuresOf(report).length === 0
    ? exitCodes.success
    : exitCodes.failure;
}

/** The command that sends the same requests again. */
function repeatCommand(
  words: readonly string[],
  flags: TestFlags,
  seed: number,
): string {
  const some = (
    flag: string,
    texts: readonly string[] = [],
  ): readonly string[] => texts.map((text) => `${flag} ${quoteWord(text)}`);
  // The values of headers may be secret.
  const headers = flags.header.map((text) => {
    const [name = ""] = text.split(":");
    return `--header "${name}: $${variableOf(name.trim())}"`;
  });
  return [
    ["ridl test", ...words.map(quoteWord)].join(" "),
    ...(flags.config === undefined ? [] : some("--config", [flags.config])),
    `--seed ${seed} --runs ${flags.runs}`,
    ...some("--service", flags.service),
    ...some("--match", flags.match),
    ...some("--ignore", flags.ignore),
    ...some("--unused", flags.unused === undefined ? [] : [flags.unused]),
    ...(flags.writes === true ? ["--writes"] : []),
    ...(flags.webrpc === true ? ["--webrpc"] : []),
    ...some("--address", flags.address),
    ...some("--parameter", flags.parameter),
    ...some("--value", flags.value),
    ...headers,
  ].join(" ");
}

/** Without quotes where a shell needs none. */
function quoteWord(text: string): string {
  return /^[\w./:=@,-]+$/u.test(text) ? text : quoteShell(text);
}

function print(report: TestReport, format: TestFormat): string {
  switch (format) {
    case "text":
      return printText(report);
    case "json":
      return printJson(report);
    case "junit":
      return printJunit(report);
  }
}

/** One line that is written again and again, and is gone at the end. */
function showProgress(done: number, count: number, { stderr }: System): void {
  if (!stderr.isTerminal) return;
  stderr.write(`\r\u001b[K${done < count ? `${done}/${count} methods` : ""}`);
}

function readOptions(
  url: string,
  flags: TestFlags,
  headers: ReadonlyMap<string, string>,
  hosts: readonly HostPlan[],
): TestOptions {
  const addresses = new Map(readPairs("--address", flags.address));
  const known = new Set(hosts.map(({ host }) => host.name));
  for (const [name, address] of addresses) {
    checkAddress(address);
    if (known.has(name)) continue;
    throw new UsageError(
      `the contract has no host \`${name}\``,
      `its hosts are ${[...known].join(", ")}`,
    );
  }
  const parameters = new Map(readPairs("--parameter", flags.parameter));
  const values = new Map<string, string[]>();
  for (const [name, value] of readPairs("--value", flags.value)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  const fill = (address: string): string =>
    fillPath(address, (name) =>
      encodeURIComponent(parameters.get(name) ?? ""),
    ) ?? missingParameter(address);
  return {
    fetch,
    timeoutMs: flags.timeout * 1000,
    parameters,
    headers,
    values,
    seed: flags.seed ?? Math.floor(Math.random() * 2 ** 31),
    runs: flags.runs,
    deadline: performance.now() + flags.maxTime * 1000,
    allowsHabits: flags.webrpc ?? false,
    addressOf: ({ host }) => fill(addresses.get(host.name) ?? url),
  };
}

/** Headers by lower-case names: flags, else the environment for credentials. */
function readHeaders(
  flags: TestFlags,
  operations: readonly TestedMethod[],
  { environment }: System,
): ReadonlyMap<string, string> {
  const credentials = operations.flatMap(({ method }) => method.credentials);
  const headers = new Map<string, string>();
  for (const { header } of credentials) {
    const value = environment[variableOf(header)];
    if (value !== undefined) headers.set(header.toLowerCase(), value);
  }
  for (const [name, value] of readPairs("--header", flags.header, ":")) {
    headers.set(name.toLowerCase(), value);
  }
  for (const [name, value] of headers) checkHeader(name, name, value);
  for (const { header, scheme } of credentials) {
    const value = headers.get(header.toLowerCase());
    if (value === undefined || scheme === null) continue;
    const [word = ""] = value.split(" ");
    if (word.toLowerCase() === scheme.toLowerCase()) continue;
    throw new UsageError(
      `the value of \`${header}\` does not begin with \`${scheme}\``,
      `write it as \`${header}: ${scheme} …\``,
    );
  }
  return headers;
}

/** A mistyped name would quietly do nothing. */
function warnOfUnknownValues(
  values: KnownValues,
  { hosts, types }: Contract,
  { stderr }: System,
): void {
  const requests = hosts.flatMap(({ services }) =>
    services.flatMap(({ methods }) => methods.map(({ request }) => request)),
  );
  const structs = types.filter((type) => type.kind === "struct");
  const owners = [...requests, ...structs];
  const known = new Set(
    owners.flatMap(({ fields }) => fields.map(({ jsonName }) => jsonName)),
  );
  for (const name of values.keys()) {
    if (known.has(name)) continue;
    const [close] = suggest(name, known);
    const help =
      close === undefined ? "" : `\n  = help: did you mean \`${close}\`?`;
    stderr.write(
      `warning: \`--value\` names \`${name}\`, which is no field of a request${help}\n`,
    );
  }
}

function checkAddress(url: string): void {
  const isHttp = /^https?:\/\//u.test(url);
  if (isHttp && (URL.canParse(url) || url.includes("{"))) return;
  throw new UsageError(
    `\`${url}\` is no address of a server`,
    "it begins with http:// or https://",
  );
}

function missingParameter(template: string): never {
  const names = [...template.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name);
  throw new UsageError(
    `the address \`${template}\` has parameters that are not given`,
    `add ${names.map((name) => `\`--parameter ${name}=…\``).join(" and ")}`,
  );
}

/** Paths of calls have the parameters of their host's base path. */
function checkParameters(
  operations: readonly TestedMethod[],
  { addressOf, parameters }: TestOptions,
): void {
  for (const { host, method } of operations) {
    addressOf(host);
    const { path } = method;
    const isRest = method.method.route.kind === "rest";
    const isFilled =
      isRest || fillPath(path, (name) => parameters.get(name) ?? "") !== null;
    if (!isFilled) missingParameter(path);
  }
}

/** Asks each address once, so that a wrong one is not reported for each method. */
async function checkAnswers(
  operations: readonly TestedMethod[],
  options: TestOptions,
): Promise<void> {
  const hosts = operations.map(({ host }) => options.addressOf(host));
  for (const address of new Set(hosts)) {
    const answer = await send(address, { redirect: "manual" }, options);
    if (typeof answer !== "string") continue;
    throw new UsageError(
      `\`${address}\`: ${answer}`,
      "start the server, or check the address",
    );
  }
}
