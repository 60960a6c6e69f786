import type { Host, Method, Service } from "../../../generator/ir/contract.js";
import { camelCase } from "../../../generator/4-emit/names/casing.js";
import type { ClientInterceptor } from "../../../runtime/typescript/client/call.js";
import { same } from "../../../runtime/typescript/values/same.js";
import { RpcError } from "../../../runtime/typescript/wire/errors.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { exportedFunction, type Exports } from "../../support/run-emitted.js";
import type { LoadedVersion } from "./build-version.js";

/** A method and its service. */
export interface Placed {
  /** The address of the service's host. */
  readonly address: string;
  readonly service: Service;
  readonly method: Method;
}

/** How a handler responds when it is called. */
export type Plan =
  | { readonly kind: "answer"; readonly value: unknown }
  | {
      readonly kind: "throw";
      readonly error: string;
      readonly data?: unknown;
      /** Default: the status in the contract. */
      readonly status?: number | undefined;
    };

/** The arguments of a handler call. */
export interface HandlerCall {
  readonly name: string;
  readonly request: unknown;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The servers of one version, in the current process. */
export class Peer {
  readonly version: LoadedVersion;
  readonly methods: readonly Placed[];
  /** The arguments that handlers have received since the last `expect`. */
  arrivals: HandlerCall[] = [];
  #plan: Plan = { kind: "answer", value: {} };
  /** Servers by the addresses of their hosts. */
  readonly #servers = new Map<string, RpcServer>();
  /** Receivers by the names of their services. */
  readonly #receivers = new Map<string, RpcServer>();

  constructor(version: LoadedVersion) {
    this.version = version;
    const { hosts } = version.contract;
    const addressOf = ({ name }: Host): string =>
      version.addresses.get(name) ?? "";
    this.methods = hosts.flatMap((host) =>
      host.services.flatMap((service) =>
        service.methods.map((method) => {
          return { address: addressOf(host), service, method };
        }),
      ),
    );
    for (const host of hosts) this.#serve(host, addressOf(host));
  }

  /** Prepares the handlers for one call. */
  expect(plan: Plan): void {
    this.#plan = plan;
    this.arrivals = [];
  }

  /**
   * Returns the server that receives calls to a service, or undefined if there
   * is none.
   */
  serverOf({ address, service }: Placed): RpcServer | undefined {
    if (service.direction === "inbound") return this.#servers.get(address);
    const named = this.#receivers.get(service.name);
    const [only, ...others] = this.#receivers.values();
    // Senders take an address instead of a host name.
    return named ?? (others.length === 0 ? only : undefined);
  }

  #serve({ name, services }: Host, address: string): void {
    const verifiers = this.version.contract.credentials.map(
      ({ name: credential }) => [
        `verify${credential}`,
        (value: string) => value === "good",
      ],
    );
    const create = (
      functionName: string,
      served: readonly Service[],
      options: object = {},
    ) => {
      const make = exportedFunction(this.version.exports, functionName);
      return make({
        ...Object.fromEntries(verifiers),
        ...options,
        // Handlers fail deliberately, thousands of times.
        onError: () => undefined,
        handlers: Object.fromEntries(
          served.map((service) => [
            camelCase(service.name),
            this.#handlersOf(service),
          ]),
        ),
      }) as RpcServer;
    };
    const inbound = services.filter(({ direction }) => direction === "inbound");
    if (inbound.length > 0) {
      const server = create(`create${pascal(name)}Server`, inbound, {
        readsByGet: true,
      });
      this.#servers.set(address, server);
    }
    for (const service of services) {
      if (service.direction === "inbound") continue;
      const receiver = create(`create${service.name}Receiver`, [service]);
      this.#receivers.set(service.name, receiver);
    }
  }

  #handlersOf({ name, methods }: Service): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      methods.map((method) => [
        camelCase(method.name),
        (request: unknown, context: Pick<HandlerCall, "parameters">) => {
          this.arrivals.push({
            name: `${name}.${method.name}`,
            request: structuredCloneOf(request),
            parameters: context.parameters,
          });
          const value = this.#act();
          return method.response.isStream ? streamOf(value) : value;
        },
      ]),
    );
  }

  #act(): unknown {
    if (this.#plan.kind === "answer") return this.#plan.value;
    const { data, error, status } = this.#plan;
    const definition = {
      ...Object(this.version.exports["errors"])[error],
      ...(status !== undefined && { status }),
    };
    throw data === undefined
      ? new RpcError(definition)
      : Object.assign(new RpcError(definition), { data });
  }
}

/**
 * Copies a request, because servers may change the messages that they have
 * parsed.
 */
function structuredCloneOf(request: unknown): unknown {
  return { ...Object(request) };
}

async function* streamOf(value: unknown): AsyncGenerator<unknown> {
  yield value;
  yield value;
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The outcome of a call for its caller. */
export type Outcome =
  | { readonly isOk: true; readonly value: unknown }
  | {
      readonly isOk: false;
      readonly name: string;
      readonly code: number;
      readonly status: number;
      readonly data: unknown;
      readonly cause: unknown;
    };

/** The outcome of a call for both sides. */
export interface Observation {
  readonly outcome: Outcome;
  readonly arrivals: readonly HandlerCall[];
  /** The response body. */
  readonly body: string;
  /** The status of the response. */
  readonly status: number;
  /** The JSON of the response as the client reads it, if it has a success. */
  readonly message: unknown;
}

/** Options of a call. */
export interface CallOptions {
  readonly plan: Plan;
  /** Credential values by header. The default is `good`. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Replaces the request body. */
  readonly body?: string;
  /** Changes the request, for example to use GET. */
  readonly change?: (request: Request) => Request;
  /** Drops the response to the first attempt. */
  readonly losesFirst?: boolean;
  readonly use?: readonly unknown[];
}

/** Calls a method with the client of one version and the server of another. */
export async function callPeer(
  client: Peer,
  server: Peer,
  placed: Placed,
  request: unknown,
  course: CallOptions,
): Promise<Observation> {
  const { service, method } = placed;
  const target = server.serverOf(placed);
  server.expect(course.plan);
  let body = "";
  let status = 0;
  let attempts = 0;
  let message: unknown;
  const recordMessage: ClientInterceptor = (next) => (call) => {
    const decode = (read: unknown): unknown => {
      // Decoding changes the object.
      message = structuredClone(read);
      return (call.method.decode ?? same)(read);
    };
    return next({ ...call, method: { ...call.method, decode } });
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    attempts += 1;
    const replaced =
      course.body === undefined ? init : { ...init, body: course.body };
    const sent = new Request(url, { ...replaced, signal: null });
    const answer = target
      ? await target.fetch(course.change?.(sent) ?? sent)
      : new Response("", { status: 404 });
    body = await answer.clone().text();
    status = answer.status;
    if (course.losesFirst === true && attempts === 1) throw new TypeError();
    return answer;
  };
  const isSent = service.direction === "outbound";
  const kind = isSent ? "Sender" : "Client";
  const { exports } = client.version;
  const create = exportedFunction(exports, `create${service.name}${kind}`);
  const calls: Exports = Object(
    create({
      baseUrl: "http://localhost",
      fetch,
      credentials: credentialsOf(client.version, course.credentials ?? {}),
      parameters: { network: "n1", stage: "s1", chain: "c1" },
      use: [...(course.use ?? []), recordMessage],
    }),
  );
  const call = exportedFunction(calls, camelCase(method.name));
  const outcome = await settle(
    () => (isSent ? call("http://localhost/hook", request) : call(request)),
    method.response.isStream,
  );
  return { outcome, arrivals: server.arrivals, body, message, status };
}

function credentialsOf(
  { contract }: LoadedVersion,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    contract.credentials.map(({ name, key }) => [
      camelCase(name),
      given[key] ?? "good",
    ]),
  );
}

async function settle(
  call: () => unknown,
  isStream: boolean,
): Promise<Outcome> {
  try {
    const result = call();
    if (!isStream) return { isOk: true, value: await result };
    const items: unknown[] = [];
    for await (const item of Object(result)) items.push(item);
    if (items.length !== 2) throw new TypeError("the stream has other items");
    return { isOk: true, value: items[0] };
  } catch (error) {
    const { name, code, status, data, cause } = Object(error);
    return {
      isOk: false,
      name: String(name),
      code: Number(code),
      status: Number(status),
      data,
      cause,
    };
  }
}
