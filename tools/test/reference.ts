import { sentNameOf } from "../credential-names.js";
import type {
  HostPlan,
  MethodPlan,
  ObjectPlan,
  Plan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { pathOf } from "../../generator/4-emit/typescript/plan/layout.js";
import { isBasic } from "../../generator/ir/credentials-of.js";
import { headerOf } from "../../generator/http/credentials.js";
import {
  isSuccess,
  errorHeaders,
  successWith,
} from "../../generator/http/wire-of.js";
import {
  type FieldSlot,
  responseHeaders,
  type TextForm,
  textFormOf,
} from "../../generator/http/slots.js";
import type {
  Success,
  WireResponse,
} from "../../generator/http/wire-method.js";
import { type ContractValues, valuesOf } from "../../generator/values/value.js";
import { invariant } from "../../generator/ir/invariant.js";
import { isRecord } from "../../generator/ir/is-record.js";
import {
  type LoadedFunction,
  type LoadModule,
  loadRuntime,
  memberOf,
  toCall,
} from "../loaded.js";
import { type Envelope, readEnvelope } from "./envelope.js";
import type { ReceivedResponse } from "./send.js";
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
    answer: Pick<ReceivedResponse, "header" | "status" | "text">,
  ): Violation | null;
  /**
   * Describes where the data in an envelope does not fit the contract, or
   * returns null. `isRefusal` means that no handler provides data, so that the
   * body of other errors is valid as well.
   */
  findDataViolation(
    tested: Pick<TestedMethod, "host" | "method">,
    body: string,
    answer: Pick<ReceivedResponse, "header">,
    isRefusal: boolean,
  ): string | null;
}

/** Whether null is not a body, although its field is optional. */
function lacksBody({ body }: Success): boolean {
  return typeof body === "object" && body.isOptional && !body.isNullable;
}

/** Returns the response that a status, a body and headers contain. */
function messageOf(
  { byStatus, status: output, whole }: WireResponse,
  { status }: Pick<ReceivedResponse, "status">,
  body: unknown,
  outputs: object | null,
): unknown {
  const success = byStatus.find((each) => each.status === status);
  const field = success === undefined ? whole : success.body;
  const inBody = success && field === null ? {} : body;
  const message = field === null ? inBody : { [field.jsonName]: body };
  if (outputs === null && output === null) return message;
  return {
    ...Object(message),
    ...outputs,
    ...(output !== null && { [output.jsonName]: status }),
  };
}

/** Returns the outputs in headers in their JSON form, or null if none can be. */
function outputsIn(
  answer: Pick<ReceivedResponse, "header">,
  response: WireResponse,
  reading: HeaderReading,
): object | null {
  const headers = responseHeaders(response);
  return headers.length === 0 ? null : fieldsIn(answer, headers, reading);
}

/** What is needed to read fields in headers. */
interface HeaderReading {
  readonly values: ContractValues;
  readonly parseJson: LoadedFunction;
}

/** Returns fields in headers in their JSON form. */
function fieldsIn(
  answer: Pick<ReceivedResponse, "header">,
  slots: readonly FieldSlot[],
  { parseJson, values }: HeaderReading,
): object {
  const pairs = slots.flatMap(({ absent, field, name }) => {
    const form = { ...textFormOf(values, field), isFilled: absent === "empty" };
    const value = readHeader(answer, name, form, parseJson);
    return value === undefined ? [] : [[field.jsonName, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** How a header is read. Without text, a list can be empty instead of absent. */
interface HeaderForm extends TextForm {
  readonly isFilled: boolean;
}

/** Returns the value of a header in its JSON form, or undefined if it is absent. */
function readHeader(
  { header }: Pick<ReceivedResponse, "header">,
  name: string,
  { isFilled, isList, writing }: HeaderForm,
  parseJson: LoadedFunction,
): unknown {
  const text = header(name);
  if (text === null || (isList && text === "")) {
    return isList && isFilled ? [] : undefined;
  }
  const items = isList ? text.split(",").map((item) => item.trim()) : [text];
  const values = items.map((item) => {
    try {
      return writing === "json" ? parseJson(item) : item;
    } catch {
      return item;
    }
  });
  return isList ? values : values[0];
}

/** The part of a response that is read as an error. */
type Failed = Pick<ReceivedResponse, "header" | "status" | "text">;

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
  const functionOf = (path: string, name: string): LoadedFunction =>
    toCall(modules.get(path), name);
  const arrivals = new Arrivals();
  const parseJson = await loadRuntime(load, "json", "parseJson");
  const validate = await loadRuntime(load, "validation", "validate");
  const print = await loadRuntime(load, "validation", "printFailures");
  const servers = createServers(inbound, functionOf, headers, arrivals);
  const toEnvelope = createEnvelopes(modules, parseJson);
  const reading = { parseJson, values: valuesOf(plan.contract) };
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
    findViolation: ({ response, wire }, answer) => {
      const { object } = response;
      if (object.fields.length === 0) return null;
      const check = functionOf(validatorsOf(object), `check${object.name}`);
      const success = successWith(wire.response, answer.status);
      const value =
        success?.body === "none" ? {} : attempt(parseJson, answer.text);
      if (value === undefined) {
        return { text: "the body is not JSON", isNullOnly: false };
      }
      if (value === null && success !== null && lacksBody(success)) {
        return { text: "the body is null", isNullOnly: false };
      }
      const outputs = outputsIn(answer, wire.response, reading);
      const message = messageOf(wire.response, answer, value, outputs);
      const failures = validate(check, message);
      if (!Array.isArray(failures) || failures.length === 0) return null;
      return { text: String(print(failures)), isNullOnly: areNulls(failures) };
    },
    findDataViolation: ({ host, method }, body, answer, isRefusal) => {
      const { errorBody } = host;
      const envelope = attempt(parseJson, body);
      if (envelope === undefined) return "the body is nested too deeply";
      const data = memberOf(envelope, "data");
      const name = memberOf(envelope, "error");
      const own = method.errorData.find(({ error }) => error === name);
      const allowed = [own ?? errorBody, isRefusal ? errorBody : null];
      const bodies = allowed.flatMap((each) => each?.object ?? []);
      if (data === undefined) return null;
      const violations = bodies.map((object) => {
        const check = functionOf(validatorsOf(object), `check${object.name}`);
        const whole = withHeaders(data, answer, object, reading);
        return String(print(validate(check, whole)));
      });
      const [first = ""] = violations;
      return violations.includes("") ? null : first || null;
    },
  };
}

/** Parses JSON. Returns undefined if that fails. */
function attempt(parseJson: LoadedFunction, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
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
  answer: Pick<ReceivedResponse, "header">,
  { fields }: ObjectPlan,
  reading: HeaderReading,
): unknown {
  const headers = errorHeaders(fields.map(({ field }) => field));
  return headers.length === 0 || !isRecord(data)
    ? data
    : { ...fieldsIn(answer, headers, reading), ...data };
}

/** How generated code says that a header is written. */
const writings = ["json", "text"] as const;

/** Creates the function that puts envelopes in place of bodies of errors. */
function createEnvelopes(
  modules: ReadonlyMap<string, unknown>,
  parseJson: LoadedFunction,
): Reference["toEnvelope"] {
  return (host, method, response) => {
    const { status, text } = response;
    if (host.errorBody === null || isSuccess(status)) return response;
    const client = modules.get(clientPathOf(host));
    const read = errorReaderOf(memberOf(client, method.names.constant));
    // Clients name the fields of each error by their headers.
    const inHeaders = (fields: object): object =>
      Object.fromEntries(
        Object.entries(fields).flatMap(
          ([name, [field, form = "text", absent]]) => {
            const isFilled = absent !== undefined;
            const isList = form.endsWith("s");
            const isWritten = (each: string): boolean => form.startsWith(each);
            const writing = writings.find(isWritten) ?? "text";
            const read = { isFilled, isList, writing } as const;
            const value = readHeader(response, name, read, parseJson);
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
function errorReaderOf(constant: unknown): LoadedFunction {
  const parts = ["item", "message"].map((key) => memberOf(constant, key));
  const described = parts.find((part) => part !== undefined) ?? constant;
  return toCall(described, "error");
}

/** Returns the envelope of the error in a body, or null if it is none. */
function envelopeIn(text: string, read: LoadedFunction): string | null {
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
  functionOf: (path: string, name: string) => LoadedFunction,
  headers: ReadonlyMap<string, string>,
  arrivals: Arrivals,
): ReadonlyMap<HostPlan, LoadedFunction> {
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
