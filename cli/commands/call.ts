import { withoutInvisible } from "../../generator/4-emit/emitter/invisible.js";
import { createPlan } from "../../generator/4-emit/typescript/plan/create-plan.js";
import type { MethodPlan } from "../../generator/4-emit/typescript/plan/plan.js";
import {
  type FieldSlot,
  foldResponse,
  keep,
  skip,
} from "../../generator/http/slots.js";
import type { Contract, Host } from "../../generator/ir/contract.js";
import {
  credentialsOf,
  missingKeys,
  shownKeys,
} from "../../generator/ir/credentials-of.js";
import { invariant } from "../../generator/ir/invariant.js";
import { CallFault } from "../../tools/call/call-fault.js";
import { captureCurl, outputFlag } from "../../tools/call/capture-curl.js";
import {
  findMethod,
  listMethods,
  onlyMethod,
} from "../../tools/call/find-method.js";
import { loadMethod, methodFiles } from "../../tools/call/load-method.js";
import { filesIn, withFiles } from "../../tools/call/read-files.js";
import { readRequest } from "../../tools/call/read-request.js";
import { sentNameOf, variableOf } from "../../tools/credential-names.js";
import { exactOptions, loadGenerated } from "../project/load-generated.js";
import { report } from "../report/report.js";
import { exitCodes } from "../system/exit-codes.js";
import { resolvePath } from "../system/paths.js";
import { decodeText, type System, UsageError } from "../system/system.js";
import { type CallFlags, type PreparedCall, sendCall } from "./send-call.js";
import {
  readAddresses,
  readClientOptions,
  type ReadOptions,
} from "./server-flags.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/**
 * `ridl call`: calls a method of a running server, or lists the methods.
 *
 * Input: the method, followed by the words of its request. Errors: a
 * {@link UsageError} if there is no such method or field, if the request is
 * invalid, or for missing or invalid flags.
 */
export async function call(
  [name, ...words]: readonly string[],
  flags: CallFlags,
  system: System,
): Promise<number> {
  return withContract(flags.schema, flags, "text", system, async (opened) => {
    report(opened.diagnostics, "text", system);
    if (name === undefined) return printMethods(opened.contract, system);
    const interrupt = new AbortController();
    // Listen for interrupts first, so that Ctrl-C never leaves generated code
    // behind.
    void system.untilInterrupted().then(() => interrupt.abort());
    try {
      const prepared = await prepare(opened, [name, ...words], flags, system);
      return flags.curl === true
        ? await printCommand(prepared, flags, system)
        : await send(prepared, flags, interrupt, system);
    } catch (error) {
      if (!(error instanceof CallFault)) throw error;
      throw new UsageError(error.message, error.help);
    }
  });
}

/** Lists the methods with the first lines of their comments. */
function printMethods(contract: Contract, { stdout }: System): number {
  const methods = listMethods(contract);
  const width = Math.max(0, ...methods.map(({ name }) => name.length));
  for (const { method, name } of methods) {
    const [docs = ""] = method.docs.lines;
    const line = `${name.padEnd(width)}  ${withoutInvisible(docs)}`;
    stdout.write(`${line.trimEnd()}\n`);
  }
  return exitCodes.success;
}

async function prepare(
  { contract: all, project }: OpenedContract,
  [name = "", ...words]: readonly string[],
  flags: CallFlags,
  system: System,
): Promise<PreparedCall> {
  const found = findMethod(all, name);
  const contract = onlyMethod(all, found);
  const baseUrl = readAddress(all, found.host, contract, flags, system);
  const { options, hosts } = createPlan(contract, {
    ...exactOptions(project.config.options),
    runtimeFiles: methodFiles,
  });
  const [host] = hosts;
  const plan = host?.inbound[0]?.methods[0];
  invariant(host !== undefined && plan !== undefined, "the method has no plan");
  const targets = [{ name: "client" }, { name: "validators" }];
  const modules = await loadGenerated(contract, targets, options, system);
  const loaded = await loadMethod(host, plan, modules.load).finally(() =>
    modules.remove(),
  );
  const read = await readRequest(words, plan.request.message.fields, contract, {
    parse: loaded.parseJson,
    readText: (path) => decodeText(readFile(path, system), path),
    readInput: () => system.readInput(),
  });
  const files = filesIn(read, plan.request);
  const request = withFiles(read, plan.request, files, (path) =>
    flags.curl === true ? new Uint8Array() : readFile(path, system),
  );
  const { parameters } = readClientOptions(contract, flags, system);
  const fault = loaded.findFault(request, parameters);
  if (fault !== "") throw new CallFault(`the request is invalid: ${fault}`);
  return { found, contract, plan, loaded, baseUrl, request, files };
}

/**
 * Returns the base address of the server: from a flag, from the environment, or
 * from the contract.
 */
function readAddress(
  all: Contract,
  { baseUrl, name }: Host,
  { hosts }: Contract,
  flags: CallFlags,
  system: System,
): string {
  // The contract may contain only the name of an address.
  const declared = baseUrl?.startsWith("http") === true ? baseUrl : undefined;
  const url = flags.url ?? (system.environment["RIDL_URL"] || declared);
  const address = readAddresses(flags, url, all, hosts).get(name);
  if (address !== undefined) return address;
  throw new UsageError(
    "the address of the server is missing",
    "add it, for example `--url http://localhost:8080`, or set `RIDL_URL`",
  );
}

/** Reads a file. Errors: a {@link UsageError} if it does not exist. */
function readFile(path: string, system: System): Buffer<ArrayBuffer> {
  const bytes = system.readBytes(resolvePath(system.workingFolder, path));
  if (bytes === null) throw new UsageError(`there is no file \`${path}\``);
  // The next file that is read uses the same memory.
  return Buffer.from(bytes);
}

async function send(
  prepared: PreparedCall,
  flags: CallFlags,
  interrupt: AbortController,
  system: System,
): Promise<number> {
  const isFile = prepared.plan.response.files.length > 0;
  if (isFile && flags.output === undefined && system.stdout.isTerminal) {
    throw new UsageError(
      `\`${prepared.found.name}\` returns a file`,
      "add `--output <file>`, or `--output -` to print it anyway",
    );
  }
  const options = readClientOptions(prepared.contract, flags, system);
  const { credentials, method } = prepared.plan;
  const given = givenKeys(prepared.plan, options, system);
  for (const missing of missingKeys(method, (key) => given.has(key))) {
    const parameter = credentials.find(({ key }) => key === missing)?.parameter;
    system.stderr.write(
      `warning: \`${variableOf(parameter ?? missing)}\` is not set, but \`${prepared.found.name}\` requires it\n`,
    );
  }
  return sendCall(prepared, options, flags, interrupt, system);
}

/** Returns the credentials that flags and the environment set. */
function givenKeys(
  { credentials }: MethodPlan,
  { headers }: ReadOptions,
  { environment }: System,
): ReadonlySet<string> {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const given = credentials.filter(
    (each) =>
      names.has(sentNameOf(each)) || environment[variableOf(each.parameter)],
  );
  return new Set(given.map(({ key }) => key));
}

/** Prints the curl command for a call, with variables instead of secrets. */
async function printCommand(
  { baseUrl, contract, files, loaded, plan, request }: PreparedCall,
  flags: CallFlags,
  system: System,
): Promise<number> {
  const options = readClientOptions(contract, flags, system);
  const { headers, parameters } = options;
  const given = givenKeys(plan, options, system);
  const shown = shownKeys(plan.method, (key) => given.has(key));
  const credentials = credentialsOf({ credentials: shown }, contract);
  const secret = new Set([
    ...credentials.map(sentNameOf),
    ...headers.map(([name]) => name.toLowerCase()),
  ]);
  const path = flags.output ?? "-";
  const command = await captureCurl(
    async (capture) => {
      const sending = { baseUrl, parameters, fetch: capture };
      const answer = await loaded.call(sending, request);
      if (plan.kind === "stream") await firstOf(answer);
    },
    {
      secret,
      credentials,
      files,
      flags: [
        ...(plan.kind === "stream" ? ["--no-buffer"] : []),
        ...(hasOutputsInHead(plan)
          ? [path === "-" ? "--include" : "--dump-header -"]
          : []),
        ...(path === "-" ? [] : [outputFlag(path)]),
      ],
    },
  );
  system.stdout.write(`${command}\n`);
  return exitCodes.success;
}

/** Whether the status or the headers of a response contain outputs. */
function hasOutputsInHead({ wire: { response } }: MethodPlan): boolean {
  const places = foldResponse<FieldSlot>(response, {
    status: keep,
    header: keep,
    member: skip,
    whole: skip,
  });
  return places.length > 0 || response.byStatus.length > 1;
}

/** A stream is opened when its first item is requested. */
async function firstOf(items: unknown): Promise<unknown> {
  for await (const item of Object(items)) return item;
  return undefined;
}
