import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import type { Plan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { ErrorMember } from "../../generator/ir/contract.js";
import { allMethods } from "../../generator/ir/methods-of.js";
import { valuesOf } from "../../generator/values/value.js";
import {
  type LoadedFunction,
  type LoadModule,
  loadFunction,
  loadRuntime,
  memberOf,
  toCall,
} from "../loaded.js";
import {
  createMockHandler,
  type GivenError,
  type MockAnswers,
  type MockBehavior,
} from "./mock-handler.js";
import { wireOf } from "../../generator/http/wire-of.js";

/** The runtime files that {@link createMockServer} loads. */
export const mockServerFiles = ["idempotency", "mock", "server"] as const;

/** The runtime files that {@link createMockListener} loads. */
export const mockListenerFiles = [
  ...mockServerFiles,
  "explorer",
  "node",
] as const;

/** The parts of a mock server. */
export interface MockParts {
  readonly plan: Plan;
  /** Loads modules of the targets `server`, `mock` and `client`. */
  readonly load: LoadModule;
  /** Called for every server-side failure. */
  readonly print: (line: string) => void;
}

/** The parts of a mock server with the explorer. */
export interface MockListenerParts extends MockParts {
  /** Text of each of the explorer's files, by name. */
  readonly explorerFiles: Readonly<Record<string, string>>;
}

/** Creates a `node:http` listener for all hosts and the explorer. */
export async function createMockListener(
  parts: MockListenerParts,
  behavior: MockBehavior,
): Promise<LoadedFunction> {
  const { explorerFiles, load, plan } = parts;
  const toListener = await loadRuntime(load, "node", "toNodeHandler");
  const createExplorer = await loadRuntime(
    load,
    "explorer",
    "createExplorerServer",
  );
  const compose = await loadRuntime(load, "server", "composeServers");
  const server = await createMockServer(parts, behavior);
  const explorer = createExplorer(explorerFiles, { path: explorerPath(plan) });
  // The first server answers what none matches, here with the errors of a host.
  const unmatched = { ...Object(server), matches: () => false };
  const listen = toListener(compose(unmatched, explorer, server));
  return toCall({ listen }, "listen");
}

/** Returns the path of the explorer, which does not hide a method at `/`. */
export function explorerPath({ contract }: Plan): string {
  const isTaken = allMethods(contract.hosts).some(
    (method) => wireOf(method).address?.template.text === "/",
  );
  return isTaken ? "/explorer/" : "/";
}

/** Creates an `RpcServer` of the loaded runtime for all hosts. */
export async function createMockServer(
  parts: MockParts,
  behavior: MockBehavior,
): Promise<unknown> {
  const { load, plan } = parts;
  const compose = await loadRuntime(load, "server", "composeServers");
  const errors = await load(`${pathOf(plan.root, "errors")}.js`);
  const draws = await loadErrorDraws(parts, behavior);
  const createError = (
    name: string,
    { data = draws.get(name)?.(), status }: GivenError = {},
  ): unknown => {
    const options = {
      ...(data !== undefined && { data }),
      ...(status !== undefined && { status }),
    };
    return Reflect.construct(toCall(errors, plan.names.errorClass(name)), [
      options,
    ]);
  };
  const values = valuesOf(plan.contract);
  const hosts = plan.hosts.filter(({ served }) => served.length > 0);
  const servers = await Promise.all(
    hosts.map((host) =>
      createHostServer(parts, {
        host,
        behavior,
        createError,
        errors: plan.contract.errors,
        values,
      }),
    ),
  );
  return compose(...servers);
}

/** Loads functions that generate the data of errors, by error. */
async function loadErrorDraws(
  { load, plan }: MockParts,
  { seed }: MockBehavior,
): Promise<ReadonlyMap<string, () => unknown>> {
  const draws = new Map<string, () => unknown>();
  for (const { error, members, object } of plan.hosts.flatMap(
    (host) => host.errorData,
  )) {
    const Draw = await loadRuntime(load, "mock", "Draw");
    const path = `${pathOf(object.unit, "mock")}.js`;
    const draw = await loadFunction(load, path, `draw${object.name}`);
    draws.set(error, () => {
      const data = draw(Reflect.construct(Draw, [seed, error]));
      for (const { path } of members) remove(data, path);
      return data;
    });
  }
  return draws;
}

/** Removes a member that the server fills in. */
function remove(data: unknown, path: ErrorMember["path"]): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((each, key) => memberOf(each, `${key}`), data);
  Reflect.deleteProperty(Object(holder), `${path.at(-1) ?? ""}`);
}

/**
 * How long keys return the same answer, in milliseconds. Answers are in memory,
 * and a load test can send millions of keys a day.
 */
const keepMs = 5 * 60_000;

/** Creates the server of one host, which accepts any credential. */
async function createHostServer(
  { load, print }: MockParts,
  given: MockAnswers,
): Promise<unknown> {
  const { behavior, host } = given;
  const { createMocks, createServer } = host.names;
  const pathTo = (file: "mock" | "server") => `${pathOf(host.unit, file)}.js`;
  const mock = await loadFunction(load, pathTo("mock"), createMocks);
  const create = await loadFunction(load, pathTo("server"), createServer);
  const keep = await loadRuntime(load, "idempotency", "idempotency");
  const answers = await loadRuntime(load, "idempotency", "memoryAnswers");
  const { seed } = behavior;
  const verifiers = host.credentials.map(({ names }) => names.verify);
  return create({
    ...Object.fromEntries(verifiers.map((name) => [name, () => true])),
    handlers: createHandlers(given, mock({ seed })),
    cors: { origins: "*" },
    caller: () => "anyone",
    idempotency: keep(answers(), { keepMs }),
    onError: (error: unknown, info: unknown) => {
      const service = String(memberOf(info, "service"));
      const method = String(memberOf(info, "method"));
      print(`${service}/${method}: ${String(error)}`);
    },
  });
}

/** Creates the handlers of all services. `mocks` generate their data. */
function createHandlers(answers: MockAnswers, mocks: unknown): object {
  const services = answers.host.served.map(({ methods, names }) => {
    const drawing = memberOf(mocks, names.property);
    const handlers = methods.map((method) => {
      const { property } = method.names;
      const draw = toCall(drawing, property);
      return [property, createMockHandler(answers, method, draw)];
    });
    return [names.property, Object.fromEntries(handlers)];
  });
  return Object.fromEntries(services);
}
