import { pathInHost } from "../../generator/4-emit/names/host-folders.js";
import { nameTools } from "../../generator/4-emit/names/tool-names.js";
import type { Contract, Host, Method } from "../../generator/ir/contract.js";
import { missingKeys } from "../../generator/ir/credentials-of.js";
import { errorsOf } from "../../generator/ir/errors-of.js";
import { invariant } from "../../generator/ir/invariant.js";
import { allMethods, methodsOf } from "../../generator/ir/methods-of.js";
import {
  createServerFetch,
  LargeResponseError,
} from "../../tools/call-server.js";
import type { MethodTool, ToolHandlers } from "../../tools/mcp/method-tool.js";
import { offerTools, type ToolMode } from "../../tools/mcp/offer-tools.js";
import { serveTools, type ServedTools } from "../../tools/mcp/serve-tools.js";
import { variableOf } from "../../tools/credential-names.js";
import { settingOf } from "../config/config.js";
import { exactOptions, loadGenerated } from "../project/load-generated.js";
import type { ProjectFlags } from "../project/project.js";
import { report } from "../report/report.js";
import { exitCodes } from "../system/exit-codes.js";
import { codeOf, type System, UsageError } from "../system/system.js";
import {
  readAddresses,
  readClientOptions,
  type ServerFlags,
} from "./server-flags.js";
import { type OpenedContract, withContract } from "./with-contract.js";

/** Flags of `ridl mcp`. */
export interface McpFlags extends ProjectFlags, ServerFlags {
  /** Base address of every host that `address` does not name. */
  readonly url?: string;
  readonly readOnly?: boolean;
  /** By default, the number of methods decides. */
  readonly tools?: ToolMode;
}

/** The part of the runtime's tools that this command uses. */
type Tool = Pick<MethodTool, "definition">;

/** The `mcp` module of a host, which exports one function. */
type HostModule = Readonly<
  Record<string, (options: object) => readonly Tool[]>
>;

/** The runtime's `mcp` module. */
interface RuntimeModule {
  handleTools(tools: readonly Tool[]): ToolHandlers;
}

/** A host and the options for its client. */
interface CalledHost {
  readonly host: Host;
  /** Passed to the function that creates the host's tools. */
  readonly options: object;
}

/**
 * `ridl mcp`: serves the methods of a contract as Model Context Protocol tools,
 * which call a server. Errors: a {@link UsageError} for missing or invalid
 * addresses or other flags, for a credential that cannot be sent, or if there
 * are no methods to serve as tools.
 */
export async function serveMcp(
  patterns: readonly string[],
  flags: McpFlags,
  system: System,
): Promise<number> {
  return withContract(patterns, flags, "text", system, async (opened) => {
    report(opened.diagnostics, "text", system);
    const { contract } = opened;
    const warn = (text: string) => system.stderr.write(`warning: ${text}\n`);
    const hosts = calledHosts(contract, flags, system, warn);
    const served = await loadTools(opened, hosts, flags, system);
    for (const name of missingVariables(contract, hosts, system)) {
      warn(`\`${name}\` is not set; methods that require it will fail`);
    }
    const streams = system.openStreams();
    await serveTools(served, streams, warn);
    return exitCodes.success;
  });
}

async function loadTools(
  { contract, project }: OpenedContract,
  hosts: readonly CalledHost[],
  { readOnly = false, tools: mode }: McpFlags,
  system: System,
): Promise<ServedTools> {
  const { config } = project;
  const setting = settingOf(config, "mcp");
  const names = nameTools(contract, setting);
  const modules = await loadGenerated(
    contract,
    [{ name: "mcp", setting }],
    { ...exactOptions(config.options), runtimeFiles: ["mcp"] },
    system,
  );
  try {
    const runtime = await modules.load("runtime/client/mcp.js");
    const { handleTools } = runtime as RuntimeModule;
    const tools = hosts.map(async ({ host, options }) => {
      const path = pathInHost(contract, host, "mcp.js");
      const module = (await modules.load(path)) as HostModule;
      const created = Object.values(module).flatMap((create) =>
        create(options),
      );
      return addErrors(created, contract, host, names);
    });
    const all = (await Promise.all(tools)).flat();
    const chosen = readOnly
      ? all.filter(({ definition }) => definition.annotations?.readOnlyHint)
      : all;
    if (chosen.length === 0) {
      throw new UsageError(
        "there are no methods to serve as tools",
        readOnly
          ? "mark methods as `@readonly`, or remove `--read-only`"
          : "mark methods as `@tool`, or list `mcp: all` in `emit`",
      );
    }
    return {
      name: hosts.map(({ host }) => host.name).join(", "),
      version: hosts[0]?.host.version ?? "0.0.0",
      ...offerTools(chosen, handleTools(chosen).callTool, mode),
    };
  } finally {
    // Once they are loaded, modules do not need their files.
    modules.remove();
  }
}

/** Adds the errors that the methods of tools can return. */
function addErrors(
  tools: readonly Tool[],
  { errors }: Contract,
  host: Host,
  names: ReadonlyMap<Method, string>,
): readonly MethodTool[] {
  const methods = new Map(
    methodsOf(host.services).map((method) => [names.get(method), method]),
  );
  return tools.map((tool) => {
    const method = methods.get(tool.definition.name);
    invariant(method !== undefined, "a tool has no method");
    const listed = errorsOf(host, method);
    const declared = errors.filter((each) => listed.includes(each.name));
    return { ...tool, errors: declared };
  });
}

function calledHosts(
  contract: Contract,
  flags: McpFlags,
  system: System,
  warn: (text: string) => void,
): readonly CalledHost[] {
  if (flags.url === undefined && flags.address.length === 0) {
    throw new UsageError(
      "the address of the server is missing",
      "add it, for example `--url https://api.example.com`",
    );
  }
  const answering = contract.hosts.filter(({ services }) =>
    services.some(({ direction }) => direction === "inbound"),
  );
  const options = {
    fetch: createFetch(warn),
    ...readClientOptions(contract, flags, system),
  };
  const addresses = readAddresses(flags, flags.url, contract, answering);
  return answering.flatMap((host) => {
    const baseUrl = addresses.get(host.name);
    return baseUrl === undefined
      ? []
      : [{ host, options: { ...options, baseUrl } }];
  });
}

/**
 * The limits for each call. Agents cannot use larger responses, and clients of
 * the protocol give up after a minute.
 */
const limits = { maxBytes: 4 * 1024 * 1024, timeoutMs: 60_000 };

/** Creates a `fetch` that warns about unreachable servers. */
function createFetch(warn: (text: string) => void): typeof fetch {
  const call = createServerFetch(limits);
  return async (input, init) => {
    try {
      const response = await call(input, init);
      return isStream(response)
        ? response
        : new Response(await textOf(response), response);
    } catch (error) {
      const { cause = error } = Object(error);
      const reason = codeOf(cause) || Object(cause).message;
      if (!init?.signal?.aborted) {
        warn(`cannot reach \`${new URL(String(input)).origin}\`: ${reason}`);
      }
      throw error;
    }
  };
}

/**
 * Whether a response can be a stream, whose items are read as they arrive. Clients
 * accept streams without a type.
 */
function isStream({ headers, ok }: Response): boolean {
  const type = headers.get("content-type");
  return ok && (type === null || /ndjson|event-stream/iu.test(type));
}

/**
 * Returns the text of a response. If it is too large, returns the reason, which
 * agents then see as a response that is not JSON.
 */
async function textOf(response: Response): Promise<string | null> {
  if (response.body === null) return null;
  try {
    return await response.text();
  } catch (error) {
    if (error instanceof LargeResponseError) return error.message;
    throw error;
  }
}

/** Lists the unset environment variables for required credentials. */
function missingVariables(
  contract: Contract,
  hosts: readonly CalledHost[],
  { environment }: System,
): readonly string[] {
  const methods = allMethods(hosts.map(({ host }) => host));
  const variables = new Map(
    contract.credentials.map((each) => [each.key, variableOf(each.parameter)]),
  );
  const missing = methods.flatMap((method) =>
    missingKeys(method, (key) => !!environment[variables.get(key) ?? ""]),
  );
  return [...new Set(missing)].map((key) => variables.get(key) ?? key);
}
