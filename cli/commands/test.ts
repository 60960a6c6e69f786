import { headerOf } from "../../generator/http/credentials.js";
import { sentNameOf } from "../../tools/credential-names.js";
import { allMethods } from "../../generator/ir/methods-of.js";
import {
  escapeUnits,
  invisible,
} from "../../generator/4-emit/emitter/invisible.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import type { Contract, Method } from "../../generator/ir/contract.js";
import { pathParameters } from "../../generator/ir/path-template.js";
import { quoteShell, showHeader } from "../../tools/test/print-curl.js";
import { printJson } from "../../tools/test/print/print-json.js";
import { printJunit } from "../../tools/test/print/print-junit.js";
import { printText } from "../../tools/test/print/print-text.js";
import { createReference, referenceFiles } from "../../tools/test/reference.js";
import {
  failuresOf,
  hasSucceeded,
  isCutShort,
  type TestReport,
  type SkippedMethod,
} from "../../tools/test/report.js";
import { send } from "../../tools/test/send.js";
import { selectMethods, testMethods } from "../../tools/test/test-contract.js";
import type { TestOptions } from "../../tools/test/test-method.js";
import { exactOptions, loadGenerated } from "../project/load-generated.js";
import type { ProjectFlags } from "../project/project.js";
import { showProgress } from "../report/progress.js";
import { exitCodes } from "../system/exit-codes.js";
import { type System, UsageError } from "../system/system.js";
import {
  startsWithScheme,
  checkHeader,
  readAddresses,
  readCredentials,
  readPairs,
  type ServerFlags,
} from "./server-flags.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl test`. */
export interface TestFlags extends ProjectFlags, ServerFlags {
  readonly value: readonly string[];
  readonly method?: readonly string[];
  readonly writes?: boolean;
  readonly webrpc?: boolean;
  readonly seed?: number;
  readonly runs: number;
  /** Time limit for each response, in seconds. Default: 10. */
  readonly timeout?: number;
  /** Time limit for all requests, in seconds. Default: 60. */
  readonly maxTime?: number;
  readonly format: TestFormat;
}

/** Report formats of `ridl test`. */
export type TestFormat = "text" | "json" | "junit";

/**
 * `ridl test`: tests a running server against the contract.
 *
 * Input: the server's address, followed by documents. Returns the exit code.
 * Errors: a {@link UsageError} for flags that do not fit the contract, if there
 * is no method to test, or if no server answers at the address.
 */
export async function testServer(
  [url = "", ...patterns]: readonly string[],
  flags: TestFlags,
  system: System,
): Promise<number> {
  return withContract(patterns, flags, "text", system, (opened) =>
    testOpened([url, ...patterns], flags, opened, system),
  );
}

async function testOpened(
  [url = "", ...patterns]: readonly string[],
  flags: TestFlags,
  { contract, project, whole }: OpenedContract,
  system: System,
): Promise<number> {
  const emitOptions = {
    ...exactOptions(project.config.options),
    runtimeFiles: referenceFiles,
  };
  const plan = createPlan(contract, emitOptions);
  const { testedMethods, skipped, unmatched } = selectMethods(plan, {
    patterns: flags.method ?? [],
    writes: flags.writes ?? false,
  });
  const [unknown] = unmatched;
  if (unknown !== undefined) {
    throw new UsageError(
      `\`--method ${unknown}\` selects no method`,
      "it takes names such as `Shop.GetBook` or `Shop.*`",
    );
  }
  if (testedMethods.length === 0) {
    throw new UsageError("there is no method to test", adviceFor(skipped));
  }
  const headers = readHeaders(flags, contract, system);
  const called = new Set(testedMethods.map(({ host }) => host.host));
  const addresses = readAddresses(flags, url, contract, [...called]);
  const methods = allMethods(whole.hosts);
  const options = readOptions(addresses, flags, headers, methods);
  warnOfUnknownNames(options, contract, system);
  await checkAnswers(options);
  const modules = await loadGenerated(
    contract,
    [
      { name: "server" },
      { name: "validators" },
      ...(contract.hosts.some(({ errorBody }) => errorBody !== null)
        ? [{ name: "client" }]
        : []),
    ],
    emitOptions,
    system,
  );
  // Remove the files after loading, so that an interrupted run does not leave
  // them behind.
  const reference = await createReference(plan, modules.load, headers).finally(
    () => modules.remove(),
  );
  const count = testedMethods.length;
  const reports = await testMethods(testedMethods, reference, options, (done) =>
    showProgress(done < count ? `${done}/${count} methods` : "", system),
  );
  const { seed } = options;
  const shown = (name: string): string =>
    showHeader(name, contract.credentials);
  const command = repeatCommand([url, ...patterns], flags, seed, shown);
  const report = { url, seed, methods: reports, skipped, command };
  system.stdout.write(escapeForTerminal(print(report, flags.format)));
  return exitCodeOf(report);
}

/**
 * Escapes characters of responses that could control a terminal, but no white space,
 * which requests may contain.
 */
function escapeForTerminal(text: string): string {
  return text
    .split(/(\t|\r?\n)/u)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(invisible, escapeUnits),
    )
    .join("");
}

function exitCodeOf(report: TestReport): number {
  if (failuresOf(report).length > 0) return exitCodes.failure;
  return report.methods.some(hasSucceeded) && !isCutShort(report)
    ? exitCodes.success
    : exitCodes.usage;
}

/** Prints the command that sends the same requests again. */
function repeatCommand(
  words: readonly string[],
  flags: TestFlags,
  seed: number,
  shown: (name: string) => string,
): string {
  const some = (
    flag: string,
    texts: readonly string[] = [],
  ): readonly string[] => texts.map((text) => `${flag} ${quoteWord(text)}`);
  const one = (flag: string, value?: string | number): readonly string[] =>
    value === undefined ? [] : some(flag, [String(value)]);
  // Header values may be secret.
  const headers = readPairs("--header", flags.header, ":").map(
    ([name]) => `--header "${shown(name)}"`,
  );
  return [
    ["ridl test", ...words.map(quoteWord)].join(" "),
    ...one("--config", flags.config),
    `--seed ${seed} --runs ${flags.runs}`,
    ...one("--timeout", flags.timeout),
    ...one("--max-time", flags.maxTime),
    ...some("--service", flags.service),
    ...some("--match", flags.match),
    ...some("--ignore", flags.ignore),
    ...one("--unused", flags.unused),
    ...(flags.writes === true ? ["--writes"] : []),
    ...(flags.webrpc === true ? ["--webrpc"] : []),
    ...some("--address", flags.address),
    ...some("--parameter", flags.parameter),
    ...some("--value", flags.value),
    ...headers,
  ].join(" ");
}

/** Quotes a word only if a shell requires it. */
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

function readOptions(
  addresses: ReadonlyMap<string, string>,
  flags: TestFlags,
  headers: ReadonlyMap<string, string>,
  methods: readonly Method[],
): TestOptions {
  const values = new Map<string, string[]>();
  for (const [name, value] of readPairs("--value", flags.value)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return {
    fetch,
    timeoutMs: (flags.timeout ?? 10) * 1000,
    parameters: new Map(readPairs("--parameter", flags.parameter)),
    headers,
    values,
    writes: flags.writes ?? false,
    methods,
    seed: flags.seed ?? Math.floor(Math.random() * 2 ** 31),
    runs: flags.runs,
    deadline: performance.now() + (flags.maxTime ?? 60) * 1000,
    allowsQuirks: flags.webrpc ?? false,
    addresses,
  };
}

/** Collects headers by lower-case name. Flags override the environment. */
function readHeaders(
  flags: TestFlags,
  { credentials }: Contract,
  system: System,
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const found = readCredentials(credentials, system);
  for (const credential of credentials) {
    const value = found.get(credential.key);
    if (value === undefined) continue;
    const { prefix = "" } = headerOf(credential) ?? {};
    headers.set(sentNameOf(credential), prefix + value);
  }
  for (const [name, value] of readPairs("--header", flags.header, ":")) {
    checkHeader(`--header ${name}`, name, value);
    headers.set(name.toLowerCase(), value);
  }
  for (const { key: header, scheme } of credentials) {
    const value = headers.get(header.toLowerCase());
    if (value === undefined || scheme === null) continue;
    if (startsWithScheme(value, scheme)) continue;
    throw new UsageError(
      `the value of \`${header}\` does not begin with \`${scheme}\``,
      `write it as \`${header}: ${scheme} …\``,
    );
  }
  return headers;
}

/** Warns about names in flags that match nothing in the contract. */
function warnOfUnknownNames(
  { parameters, values }: TestOptions,
  { hosts, types }: Contract,
  { stderr }: System,
): void {
  const requests = allMethods(hosts).map(({ request }) => request);
  const structs = types.filter((type) => type.kind === "struct");
  const fields = [...requests, ...structs].flatMap((owner) => owner.fields);
  const fieldNames = fields.map(({ jsonName }) => jsonName);
  const inPaths = hosts.flatMap(({ basePath }) => pathParameters(basePath));
  for (const [flag, given, names, what] of [
    ["--value", values, fieldNames, "a field of any request"],
    ["--parameter", parameters, inPaths, "a parameter of any base path"],
  ] as const) {
    const known = new Set(names);
    for (const name of given.keys()) {
      if (known.has(name)) continue;
      const { help } = suggestHelp(name, known);
      stderr.write(
        `warning: \`${flag}\` names \`${name}\`, which is not ${what}${help ? `\n  = help: ${help}` : ""}\n`,
      );
    }
  }
}

/** Sends one request to each address, to report a wrong address only once. */
async function checkAnswers(options: TestOptions): Promise<void> {
  for (const address of new Set(options.addresses.values())) {
    const answer = await send(address, { redirect: "manual" }, true, options);
    if (typeof answer !== "string") continue;
    throw new UsageError(
      `\`${address}\`: ${answer}`,
      "start the server, or check the address",
    );
  }
}

/** Explains why no method is tested. */
function adviceFor(skipped: readonly SkippedMethod[]): string {
  if (skipped.some(({ reason }) => reason === "may change data"))
    return "without `--writes`, only REST reads and methods marked `@readonly` are called";
  return "webhooks and streams of requests are not tested";
}
