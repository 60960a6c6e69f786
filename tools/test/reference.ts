import { sentNameOf } from "../sent-name-of.js";
import type {
  FieldPlan,
  HostPlan,
  MethodPlan,
  ObjectPlan,
  Plan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { headerFormOf } from "../../generator/4-emit/typescript/plan/methods.js";
import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import { headerOf, isBasic } from "../../generator/ir/credentials-of.js";
import type { Method, Route } from "../../generator/ir/contract.js";
import {
  type Success,
  successWith,
} from "../../generator/ir/success-status.js";
import { invariant } from "../../generator/ir/invariant.js";
import { isRecord } from "../../generator/ir/is-record.js";
import {
  type Call,
  type LoadModule,
  loadRuntime,
  memberOf,
  toCall,
} from "../loaded.js";
import { type Envelope, readEnvelope } from "./envelope.js";
import type { Answer } from "./send.js";
import type { TestedMethod } from "./tested-method.js";

/**
 * The server that is generated from the contract, with handlers that always
 * fail. Other servers must refuse the same requests in the same way.
 */
export interface Reference {
  /** Returns how a host refuses a request, or null if it accepts it. */
  refusalOf(
    host: HostPlan,
    request: Request,
    method: MethodPlan,
  ): Promise<Envelope | null>;
  /**
   * Returns a response with an envelope in place of another body of errors. The
   * envelope has the body as its data.
   */
  toEnvelope<Received extends Failed>(
    host: HostPlan,
    method: MethodPlan,
    response: Received,
  ): Received;
  /** Describes where a response does not fit the contract, or returns null. */
  findViolation(
    method: MethodPlan,
    answer: Pick<Answer, "header" | "status" | "text">,
  ): Violation | null;
  /**
   * Describes where the data in an envelope does not fit the contract, or
   * returns null. `isRefusal` means that no handler provides data, so that the
   * body of other errors is valid as well.
   */
  findDataViolation(
    tested: Pick<TestedMethod, "host" | "method">,
    body: string,
    answer: Pick<Answer, "header">,
    isRefusal: boolean,
  ): string | null;
}

/** Whether null is not a body, although its field is optional. */
function lacksBody({ body }: Success): boolean {
  return typeof body === "object" && body.isOptional && !body.isNullable;
}

/** Returns the response that a status, a body and headers contain. */
function messageOf(
  { route }: Method,
  { status }: Pick<Answer, "status">,
  body: unknown,
  outputs: object | null,
): unknown {
  const isRest = route.kind === "rest";
  const success =
    isRest && route.statuses.find((each) => each.status === status);
  const name = success ? success.body : isRest ? route.body : null;
  const inBody = success && name === null ? {} : body;
  const message = name === null ? inBody : { [name]: body };
  const output = isRest ? route.statusOutput : null;
  if (outputs === null && output === null) return message;
  return {
    ...Object(message),
    ...outputs,
    ...(output !== null && { [output]: status }),
  };
}

/** Returns the outputs in headers in their JSON form, or null if none can be. */
function outputsIn(
  answer: Pick<Answer, "header">,
  route: Route,
  { fields }: ObjectPlan,
  parseJson: Call,
): object | null {
  const headers = route.kind === "rest" ? route.responseHeaders : [];
  if (headers.length === 0) return null;
  const placed = headers.flatMap(({ field: key, name }) => {
    const plan = fields.find(({ field }) => field.jsonName === key);
    return plan === undefined ? [] : [{ name, plan }];
  });
  return fieldsIn(answer, placed, parseJson);
}

/** Returns fields in headers in their JSON form. */
function fieldsIn(
  answer: Pick<Answer, "header">,
  placed: readonly { readonly name: string; readonly plan: FieldPlan }[],
  parseJson: Call,
): object {
  const pairs = placed.flatMap(({ name, plan: { field, type } }) => {
    const { isOptional, jsonName } = field;
    const form = headerFormOf(type);
    const value = readHeader(answer, name, form, !isOptional, parseJson);
    return value === undefined ? [] : [[jsonName, value] as const];
  });
  return Object.fromEntries(pairs);
}

/**
 * Returns the value of a header in its JSON form, or undefined if it is absent.
 * A list that is required is empty instead.
 */
function readHeader(
  { header }: Pick<Answer, "header">,
  name: string,
  form: string,
  isRequired: boolean,
  parseJson: Call,
): unknown {
  const text = header(name);
  const isList = form.endsWith("s");
  if (text === null || (isList && text === "")) {
    return isList && isRequired ? [] : undefined;
  }
  const items = isList ? text.split(",").map((item) => item.trim()) : [text];
  const values = items.map((item) => {
    try {
      return form.startsWith("json") ? parseJson(item) : item;
    } catch {
      return item;
    }
  });
  return isList ? values : values[0];
}

/** The part of a response that is read as an error. */
type Failed = Pick<Answer, "header" | "status" | "text">;

/** A problem with a response. */
export interface Violation {
  readonly text: string;
  /** Whether all failures are nulls, e.g. in place of lists, maps or bytes. */
  readonly isNullOnly: boolean;
}

/** The runtime files that {@link createReference} loads. */
export const referenceFiles = ["json", "validation"] as const;

/**
 * Starts the reference in this process. It accepts only the credentials
 * in `headers`.
 */
export async function createReference(
  plan: Plan,
  load: LoadModule,
  headers: ReadonlyMap<string, string>,
): Promise<Reference> {
  const inbound = plan.hosts.filter(({ inbound }) => inbound.length > 0);
  const modules = new Map<string, unknown>();
  const paths = inbound.flatMap(modulesOf);
  for (const path of new Set(paths)) modules.set(path, await load(path));
  const functionOf = (path: string, name: string): Call =>
    toCall(modules.get(path), name);
  const arrivals = new Arrivals();
  const parseJson = await loadRuntime(load, "json", "parseJson");
  const validate = await loadRuntime(load, "validation", "validate");
  const print = await loadRuntime(load, "validation", "printFailures");
  const servers = createServers(inbound, functionOf, headers, arrivals);
  const toEnvelope = createEnvelopes(modules, parseJson);
  return {
    toEnvelope,
    refusalOf: async (host, request, method) => {
      const hasArrived = arrivals.watch(request);
      const answer = await servers.get(host)?.(request);
      invariant(answer instanceof Response, "the reference answers");
      if (hasArrived()) return null;
      const failed = await readFailed(answer);
      const envelope = readEnvelope(toEnvelope(host, method, failed).text);
      invariant(envelope !== null, "the reference returns an envelope");
      return envelope;
    },
    findViolation: ({ method, response }, answer) => {
      const { object } = response;
      if (object.fields.length === 0) return null;
      const check = functionOf(validatorsOf(object), `check${object.name}`);
      let value: unknown;
      const success = successWith(method, answer.status);
      try {
        value = success?.body === "none" ? {} : parseJson(answer.text);
      } catch {
        return { text: "the body is not JSON", isNullOnly: false };
      }
      if (value === null && success !== null && lacksBody(success)) {
        return { text: "the body is null", isNullOnly: false };
      }
      const outputs = outputsIn(answer, method.route, object, parseJson);
      const message = messageOf(method, answer, value, outputs);
      const failures = validate(check, message);
      if (!Array.isArray(failures) || failures.length === 0) return null;
      return { text: String(print(failures)), isNullOnly: areNulls(failures) };
    },
    findDataViolation: ({ host, method }, body, answer, isRefusal) => {
      const { errorBody } = host;
      const envelope = parseJson(body);
      const data = memberOf(envelope, "data");
      const name = memberOf(envelope, "error");
      const own = method.errorData.find(({ error }) => error === name);
      const allowed = [own ?? errorBody, isRefusal ? errorBody : null];
      const bodies = allowed.flatMap((each) => each?.object ?? []);
      if (data === undefined) return null;
      const violations = bodies.map((object) => {
        const check = functionOf(validatorsOf(object), `check${object.name}`);
        const whole = withHeaders(data, answer, object, parseJson);
        return String(print(validate(check, whole)));
      });
      const [first = ""] = violations;
      return violations.includes("") ? null : first || null;
    },
  };
}

function areNulls(failures: readonly unknown[]): boolean {
  return failures.every((failure) => memberOf(failure, "got") === "null");
}

async function readFailed(response: Response): Promise<Failed> {
  const { headers, status } = response;
  const header = (name: string): string | null => headers.get(name);
  return { header, status, text: await response.text() };
}

/** Adds the data of an error that is in headers. */
function withHeaders(
  data: unknown,
  answer: Pick<Answer, "header">,
  { fields }: ObjectPlan,
  parseJson: Call,
): unknown {
  const placed = fields.flatMap((plan) =>
    plan.field.header === null ? [] : [{ name: plan.field.header, plan }],
  );
  return placed.length === 0 || !isRecord(data)
    ? data
    : { ...fieldsIn(answer, placed, parseJson), ...data };
}

/** Creates the function that puts envelopes in place of bodies of errors. */
function createEnvelopes(
  modules: ReadonlyMap<string, unknown>,
  parseJson: Call,
): Reference["toEnvelope"] {
  return (host, method, response) => {
    const { status, text } = response;
    if (host.errorBody === null || status < 300) return response;
    const client = modules.get(clientPathOf(host));
    const read = errorReaderOf(memberOf(client, method.names.constant));
    // Clients name the fields of each error by their headers.
    const inHeaders = (fields: object): object =>
      Object.fromEntries(
        Object.entries(fields).flatMap(
          ([name, [field, form = "text", absent]]) => {
            const isRequired = absent !== undefined;
            const value = readHeader(
              response,
              name,
              form,
              isRequired,
              parseJson,
            );
            return value === undefined ? [] : [[field, value]];
          },
        ),
      );
    const envelope = envelopeIn(text, (json) =>
      read(json, status, text, undefined, inHeaders),
    );
    return envelope === null ? response : { ...response, text: envelope };
  };
}

/** Returns the function with which a client reads the errors of a method. */
function errorReaderOf(constant: unknown): Call {
  const parts = ["item", "message"].map((key) => memberOf(constant, key));
  const described = parts.find((part) => part !== undefined) ?? constant;
  return toCall(described, "error");
}

/** Returns the envelope of the error in a body, or null if it is none. */
function envelopeIn(text: string, read: Call): string | null {
  try {
    const error = read(JSON.parse(text));
    const envelope = {
      error: memberOf(error, "name"),
      code: memberOf(error, "code"),
      msg: memberOf(error, "message"),
      cause: memberOf(error, "cause"),
      status: memberOf(error, "status"),
    };
    return `${JSON.stringify(envelope).slice(0, -1)},"data":${text}}`;
  } catch {
    return null;
  }
}

/** Returns the paths of the modules that the reference needs for a host. */
function modulesOf(host: HostPlan): readonly string[] {
  return [
    ...checkedObjectsOf(host).map(validatorsOf),
    serverPathOf(host),
    ...(host.errorBody === null ? [] : [clientPathOf(host)]),
  ];
}

/** Lists the responses with fields, and the data of errors, of a host. */
function checkedObjectsOf({
  errorBody,
  errorData,
  inbound,
}: HostPlan): readonly ObjectPlan[] {
  const bodies = errorBody === null ? [] : [errorBody];
  const data = [...errorData, ...bodies].map(({ object }) => object);
  return inbound
    .flatMap(({ methods }) => methods.map(({ response }) => response.object))
    .filter(({ fields }) => fields.length > 0)
    .concat(data);
}

/** Returns the path of the module that checks an object. */
function validatorsOf({ unit }: ObjectPlan): string {
  return `${pathOf(unit, "validators")}.js`;
}

function clientPathOf({ unit }: HostPlan): string {
  return `${pathOf(unit, "client")}.js`;
}

function serverPathOf({ unit }: HostPlan): string {
  return `${pathOf(unit, "server")}.js`;
}

/** Creates the function `fetch` of each host's server. */
function createServers(
  hosts: readonly HostPlan[],
  functionOf: (path: string, name: string) => Call,
  headers: ReadonlyMap<string, string>,
  arrivals: Arrivals,
): ReadonlyMap<HostPlan, Call> {
  return new Map(
    hosts.map((host) => {
      const create = functionOf(serverPathOf(host), host.names.createServer);
      const options = serverOptions(host, headers, arrivals);
      return [host, toCall(create(options), "fetch")];
    }),
  );
}

/**
 * Finds out which requests reach handlers. The response does not tell, because
 * the body of errors of a host need not contain the name of an error.
 */
class Arrivals {
  static readonly #header = "x-ridl-reference";
  readonly #failure = new Error("the handler was reached");
  readonly #arrived = new Set<string>();

  /** A handler. */
  readonly fail = (): never => {
    throw this.#failure;
  };

  /** Called for each failure of a server. */
  readonly onError = (error: unknown, info: unknown): void => {
    if (error !== this.#failure) return;
    const request = memberOf(info, "request");
    const header = toCall(request, "header");
    this.#arrived.add(String(header.call(request, Arrivals.#header)));
  };

  /**
   * Marks a request. Returns a function that tells whether the request has
   * reached a handler.
   */
  watch({ headers }: Request): () => boolean {
    const id = crypto.randomUUID();
    headers.set(Arrivals.#header, id);
    return () => this.#arrived.delete(id);
  }
}

/** Creates handlers that fail and verifiers of the caller's headers. */
function serverOptions(
  { credentials, inbound }: HostPlan,
  headers: ReadonlyMap<string, string>,
  { fail, onError }: Arrivals,
): object {
  const handlers = inbound.map(({ methods, names }) => [
    names.property,
    Object.fromEntries(methods.map(({ names }) => [names.property, fail])),
  ]);
  const verifiers = credentials.map((credential) => {
    const { names } = credential;
    const given = headers.get(sentNameOf(credential)) ?? "";
    const { prefix = "" } = headerOf(credential) ?? {};
    const expected = given.trim().slice(prefix.length).trim();
    const verify = (value: unknown): boolean =>
      (isBasic(credential) ? printLogin(value) : value) === expected;
    return [names.verify, verify];
  });
  return {
    ...Object.fromEntries(verifiers),
    handlers: Object.fromEntries(handlers),
    acceptParameters: () => true,
    caller: fail,
    idempotency: { answer: fail },
    onError,
  };
}

/** Returns the base64 form of a user name and a password. */
function printLogin(login: unknown): string {
  const parts = ["username", "password"].map((key) => memberOf(login, key));
  return Buffer.from(parts.join(":")).toString("base64");
}
