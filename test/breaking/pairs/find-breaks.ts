import type { Message, Method } from "../../../generator/ir/contract.js";
import type { Audience } from "../../../tools/breaking/diff/index.js";
import { successWith, wireOf } from "../../../generator/http/wire-of.js";
import { readExactJson } from "../../../runtime/typescript/wire/read-json.js";
import { retry } from "../../../runtime/typescript/client/retry.js";
import { FailureReport } from "../../../runtime/typescript/values/validation.js";
import { exportedFunction } from "../../support/run-emitted.js";
import { compareErrorData, dataFields } from "./error-data.js";
import { poolOf, ValueDraw } from "./draw-value.js";
import type { CallOptions, Observation, Placed } from "./peer.js";
import { callPeer, type Peer } from "./peer.js";
import { drawResponse } from "./statuses.js";
import { compareTrees, projectMessage, type Tree } from "./project-value.js";
import type { Random } from "../../support/random.js";

/** A difference between two versions that breaks something. */
export interface Break {
  readonly audience: Audience;
  /**
   * Whether calls fail or have a different effect. Other differences can go
   * unnoticed.
   */
  readonly isCertain: boolean;
  readonly what: string;
}

/**
 * Runs calls between clients and servers of two versions, and finds what
 * breaks.
 */
export async function findBreaks(
  before: Peer,
  after: Peer,
  random: Random,
  messageCount: number,
): Promise<readonly Break[]> {
  const found: Break[] = [];
  for (const isReverse of [false, true]) {
    const [client, server] = isReverse ? [after, before] : [before, after];
    for (const placed of client.methods) {
      const isSent = placed.service.direction === "outbound";
      // The host of a webhook is its sender.
      const audience: Audience = isReverse !== isSent ? "wire-strict" : "wire";
      const trial = new Trial(client, server, placed, isReverse, random);
      const breaks = await trial.run(messageCount);
      found.push(...breaks.map((each) => ({ ...each, audience })));
    }
  }
  return found;
}

type Found = Omit<Break, "audience">;

/** Compares one method of a client with a server of another version. */
class Trial {
  readonly #client: Peer;
  readonly #server: Peer;
  readonly #placed: Placed;
  /** The method on the server. */
  readonly #other: Placed | undefined;
  readonly #isNewer: boolean;
  readonly #random: Random;
  readonly #requests: ValueDraw;
  /** Draws the server's responses. */
  readonly #answers: ValueDraw;
  readonly #otherRequests: ValueDraw;
  /** Draws the responses of the client's own server. */
  readonly #ownAnswers: ValueDraw;
  readonly #found: Found[] = [];

  constructor(
    client: Peer,
    server: Peer,
    placed: Placed,
    isNewer: boolean,
    random: Random,
  ) {
    this.#client = client;
    this.#server = server;
    this.#placed = placed;
    this.#isNewer = isNewer;
    this.#random = random;
    this.#other = findOther(server, placed);
    const pool = poolOf([client.version, server.version]);
    this.#requests = new ValueDraw(client.version, pool, random, "request");
    this.#ownAnswers = new ValueDraw(client.version, pool, random, "response");
    this.#answers = new ValueDraw(server.version, pool, random, "response");
    this.#otherRequests = new ValueDraw(
      server.version,
      pool,
      random,
      "request",
    );
  }

  async run(messageCount: number): Promise<readonly Found[]> {
    for (let index = 0; index < messageCount; index += 1) {
      await this.#tryMessage();
    }
    await this.#tryNonsense(this.#drawRequest());
    const request = await this.#drawWorking();
    if (request !== undefined) {
      // A method that does not work rejects calls regardless of credentials.
      await this.#tryCredentials(request);
      await this.#tryErrors(request);
      await this.#tryErrorData(request);
      await this.#tryGet(request);
      await this.#tryRetry(request);
    }
    return this.#found;
  }

  #report(isCertain: boolean, what: string): void {
    const { service, method } = this.#placed;
    const whole = `${service.name}.${method.name}: ${what}`;
    if (this.#found.some((each) => each.what === whole)) return;
    this.#found.push({ isCertain, what: whole });
  }

  /** Calls the client's own server to learn the expected behavior. */
  #own(request: unknown, course: CallOptions): Promise<Observation> {
    return callPeer(this.#client, this.#client, this.#placed, request, course);
  }

  #cross(request: unknown, course: CallOptions): Promise<Observation> {
    return callPeer(this.#client, this.#server, this.#placed, request, course);
  }

  #drawRequest(): Record<string, unknown> {
    return this.#requests.message(this.#placed.method.request.fields);
  }

  #ownPlan(): CallOptions {
    const { method } = this.#placed;
    const value = drawResponse(this.#ownAnswers, method, this.#random);
    return { plan: { kind: "answer", value } };
  }

  /** Draws a request that succeeds if nothing has changed. */
  async #drawWorking(): Promise<unknown> {
    for (let index = 0; index < 40; index += 1) {
      const request = this.#drawRequest();
      const { arrivals } = await this.#own(request, this.#ownPlan());
      if (arrivals.length > 0) return request;
    }
    return undefined;
  }

  async #tryMessage(): Promise<void> {
    const request = this.#drawRequest();
    const own = await this.#own(request, this.#ownPlan());
    const [meant] = own.arrivals;
    if (meant === undefined) return;
    const answer = this.#other && (await this.#drawAnswer(this.#other));
    const crossed = await this.#cross(request, {
      plan: { kind: "answer", value: answer?.value ?? {} },
    });
    const [arrival] = crossed.arrivals;
    const expected = this.#other && nameOf(this.#other);
    const told = JSON.stringify(request, printBig);
    if (arrival !== undefined && arrival.name !== expected) {
      return this.#report(true, `${arrival.name} is called by ${told}`);
    }
    // A feature that an old server lacks cannot break.
    if (this.#other === undefined && this.#isNewer) return;
    if (this.#other === undefined || arrival === undefined) {
      const { outcome, body } = crossed;
      const what = outcome.isOk
        ? "is lost"
        : `is answered ${body.slice(0, 200)}`;
      return this.#report(true, `${told} ${what}`);
    }
    this.#compareRequests(meant, arrival, this.#other, told);
    if (answer !== undefined && this.#placed.service.direction === "inbound") {
      this.#compareAnswers(answer, crossed, this.#other);
      const { outcome, status } = crossed;
      if (
        outcome.isOk &&
        successWith(wireOf(this.#placed.method).response, status) === null
      )
        this.#report(true, `the status ${status} is new`);
    }
  }

  #compareRequests(
    meant: Observation["arrivals"][number],
    arrival: Observation["arrivals"][number],
    other: Placed,
    told: string,
  ): void {
    for (const [name, value] of Object.entries(meant.parameters)) {
      const read = Object.hasOwn(arrival.parameters, name)
        ? arrival.parameters[name]
        : value;
      if (read !== value) this.#report(true, `{${name}} has become ${read}`);
    }
    const counts = [meant, arrival].map(
      ({ parameters }) => Object.keys(parameters).length,
    );
    if (counts[0] !== counts[1]) {
      this.#report(true, `{} are now ${JSON.stringify(arrival.parameters)}`);
    }
    const [then, now] = [this.#placed.method, other.method];
    const trees = [
      requestTree(this.#client, then, now, meant.request),
      requestTree(this.#server, now, then, arrival.request),
    ] as const;
    const differences = compareTrees(...trees);
    for (const name of gainedMembers(...trees)) {
      this.#report(true, `request.${name} is made up in ${told}`);
    }
    for (const { kind, path } of differences) {
      // Webhook receivers may ignore unknown parts of a message.
      if (kind === "lost" && this.#placed.service.direction === "outbound") {
        continue;
      }
      this.#report(kind === "changed", `request${path} is ${kind} in ${told}`);
    }
  }

  /** Draws a possible response of the server, as its own client reads it. */
  async #drawAnswer(
    other: Placed,
  ): Promise<{ value: unknown; read: unknown } | undefined> {
    const { request } = other.method;
    for (let index = 0; index < 3; index += 1) {
      const value = drawResponse(this.#answers, other.method, this.#random);
      const { outcome } = await callPeer(
        this.#server,
        this.#server,
        other,
        this.#otherRequests.message(request.fields),
        { plan: { kind: "answer", value } },
      );
      if (outcome.isOk) return { value, read: outcome.value };
    }
    return undefined;
  }

  #compareAnswers(
    answer: { value: unknown; read: unknown },
    { outcome, body, message }: Observation,
    other: Placed,
  ): void {
    const { method } = this.#placed;
    if (!outcome.isOk) {
      this.#report(true, `the answer ${body.slice(0, 200)} is not understood`);
      return;
    }
    if (hasFiles(method.response) !== hasFiles(other.method.response)) {
      this.#report(true, `${body} is taken for something else`);
    }
    const differences = compareTrees(
      answerTree(this.#server, other.method, answer.read),
      answerTree(this.#client, method, outcome.value),
    );
    for (const { kind, path } of differences) {
      if (kind === "changed") {
        this.#report(true, `response${path} is changed in ${body}`);
      }
    }
    const violation = this.#findViolation(method, body, message);
    if (violation !== null) this.#report(false, `${violation} in ${body}`);
  }

  /** Returns the first violation that `checkResponses` finds. */
  #findViolation(
    method: Method,
    body: string,
    message: unknown,
  ): string | null {
    const [only] = method.response.fields;
    if (method.response.fields.length === 0) return null;
    if (only?.type.kind === "scalar" && only.type.name === "file") return null;
    const isRest = method.route.kind === "rest";
    const firstLine = body.trim().split("\n")[0] ?? "";
    const json = isRest ? message : readExactJson(firstLine, 64);
    const report = new FailureReport({ dropsNulls: true });
    const name = method.response.struct ?? `${method.name}Response`;
    const check = exportedFunction(
      this.#client.version.exports,
      `check${name}`,
    );
    check(json, report);
    const [failure] = report.failures;
    return failure === undefined
      ? null
      : `${failure.path.join(".")} is not ${failure.expected}`;
  }

  async #tryCredentials(request: unknown): Promise<void> {
    const headers = this.#placed.method.credentials;
    const courses = [
      ...headers.map((header) => ({ [header]: "bad" })),
      Object.fromEntries(headers.map((header) => [header, "bad"])),
      Object.fromEntries(headers.map((header) => [header, ""])),
    ];
    for (const credentials of headers.length === 0 ? [] : courses) {
      await this.#compareRefusals(request, { ...this.#ownPlan(), credentials });
    }
  }

  async #tryNonsense(request: unknown): Promise<void> {
    const { method } = this.#placed;
    if (method.route.kind === "rest") {
      const { segments } = method.route.path;
      // Clients only write the text of their own version.
      const last = segments.findLastIndex(
        (each) => each.kind === "literal" || each.prefix + each.suffix !== "",
      );
      const trailing = segments.length - 1 - last;
      for (let count = 1; count <= trailing; count += 1) {
        await this.#compareRefusals(request, {
          ...this.#ownPlan(),
          change: (sent) => withOddSegments(sent, count),
        });
      }
      return;
    }
    const entries = method.request.fields.map(({ jsonName }) => [
      jsonName,
      [[{ odd: 1 }]],
    ]);
    const body = JSON.stringify(Object.fromEntries(entries));
    await this.#compareRefusals(
      request,
      hasFiles(method.request)
        ? { ...this.#ownPlan(), change: (sent) => withForm(sent, body) }
        : { ...this.#ownPlan(), body },
    );
  }

  /** Reports if the versions reject the request with different errors. */
  async #compareRefusals(request: unknown, course: CallOptions): Promise<void> {
    const own = await this.#own(request, course);
    const crossed = await this.#cross(request, course);
    const [a, b] = [own.outcome, crossed.outcome];
    if (own.arrivals.length > 0 || a.isOk || b.isOk) return;
    // The client rejects some requests before it sends them.
    if (Number.isNaN(a.code)) return;
    if (this.#other === undefined) return;
    // Once the request has arrived, other faults do not matter.
    if (crossed.arrivals.length > 0) return;
    const what = `${a.name} ${a.status} is now ${b.name} ${b.status}`;
    if (a.name !== b.name || a.code !== b.code) this.#report(true, what);
    else if (a.status !== b.status) this.#report(false, what);
  }

  async #tryErrors(request: unknown): Promise<void> {
    if (this.#other === undefined) return;
    const known = this.#client.version.contract.errors;
    const { errors } = this.#server.version.contract;
    // Handlers may throw errors that the method does not declare.
    for (const { anyStatus, name: error } of errors) {
      const status = anyStatus ? this.#random.oneOf([402, 451]) : undefined;
      const { outcome, arrivals } = await this.#cross(request, {
        plan: { kind: "throw", error, status },
      });
      if (outcome.isOk || arrivals.length === 0) continue;
      const { name, code } = outcome;
      const same = known.find((each) => each.name === name);
      const what = `${name} ${code} ${outcome.status}`;
      if (same === undefined) {
        const other = known.find((each) => each.code === code);
        if (other) this.#report(true, `${what} has the code of ${other.name}`);
      } else if (same.code !== code) {
        this.#report(true, `${what} had the code ${same.code}`);
      } else if (!same.anyStatus && same.status !== outcome.status) {
        this.#report(false, `${what} had the status ${same.status}`);
      }
    }
  }

  async #tryErrorData(request: unknown): Promise<void> {
    if (this.#other === undefined) return;
    // As with responses to webhooks, the host knows that receivers can be older.
    if (this.#placed.service.direction === "outbound") return;
    for (const { name } of this.#server.version.contract.errors) {
      const fields = dataFields(this.#server, name);
      const data = fields ? this.#answers.message(fields) : undefined;
      const { outcome, arrivals } = await this.#cross(request, {
        plan: { kind: "throw", error: name, data },
      });
      if (outcome.isOk || arrivals.length === 0) continue;
      const difference = compareErrorData(
        { name, data },
        outcome,
        [this.#client, this.#placed.method],
        this.#server,
        this.#isNewer,
      );
      if (difference) this.#report(difference.isCertain, difference.what);
    }
  }

  /**
   * Reports if the other version rejects a GET request that a cache may send.
   */
  async #tryGet(request: unknown): Promise<void> {
    const { method } = this.#placed;
    if (method.route.kind !== "rpc" || method.safety !== "readonly") return;
    const bodies: string[] = [];
    await this.#own(request, {
      ...this.#ownPlan(),
      change: (sent) => {
        void sent
          .clone()
          .text()
          .then((text) => bodies.push(text));
        return sent;
      },
    });
    const query = new URLSearchParams({ request: bodies[0] ?? "{}" });
    const course: CallOptions = {
      ...this.#ownPlan(),
      change: ({ url, headers }) =>
        new Request(`${url}?${query.toString()}`, { headers }),
    };
    const own = await this.#own(request, course);
    if (own.arrivals.length === 0 || this.#other === undefined) return;
    const crossed = await this.#cross(request, course);
    if (crossed.arrivals.length === 0) {
      this.#report(true, `GET is answered ${crossed.body.slice(0, 200)}`);
    }
  }

  /** Reports if a client retries a call that must not run twice. */
  async #tryRetry(request: unknown): Promise<void> {
    const { method, service } = this.#placed;
    if (method.response.isStream || service.direction === "outbound") return;
    if (this.#other?.method.safety !== "none") return;
    const { arrivals } = await this.#cross(request, {
      ...this.#ownPlan(),
      losesFirst: true,
      use: [retry({ attempts: 2, backoffMs: 0 })],
    });
    if (arrivals.length > 1) this.#report(true, "the call runs twice");
  }
}

function nameOf({ service, method }: Placed): string {
  return `${service.name}.${method.name}`;
}

/** Finds the corresponding method in another version. */
export function findOther(
  { methods }: Peer,
  { address, service, method }: Placed,
): Placed | undefined {
  const same = methods.filter(
    (each) =>
      each.method.name === method.name &&
      each.service.direction === service.direction,
  );
  return (
    same.find(
      (each) => each.service.name === service.name && each.address === address,
    ) ??
    (service.direction === "outbound" ? same[0] : undefined) ??
    methods.find(
      (each) =>
        method.route.kind === "rest" &&
        each.address === address &&
        readKey(each.method) === readKey(method),
    )
  );
}

/**
 * Returns the verb and the path that identify a REST method, regardless of
 * parameter names.
 */
function readKey({ route }: Method): string {
  return route.kind === "rest"
    ? `${route.verb} ${route.path.text.replace(/\{\w+\}/gu, "{}")}`
    : "";
}

/** Returns the request with an invalid suffix in its path. */
function withOddSegments(sent: Request, count: number): Request {
  const { origin, pathname, search } = new URL(sent.url);
  const kept = pathname.split("/").slice(0, -count);
  const odd = Array.from({ length: count }, () => "odd*");
  const path = [...kept, ...odd].join("/");
  return new Request(new URL(path + search, origin), sent);
}

/** Returns the request as a form whose only part is JSON. */
function withForm({ url, headers }: Request, json: string): Request {
  const others = new Headers(headers);
  others.delete("content-type");
  const body = new FormData();
  body.set("json", json);
  return new Request(url, { method: "POST", headers: others, body });
}

function hasFiles({ fields }: Message): boolean {
  return fields.some(({ type }) => {
    const inner = type.kind === "list" ? type.element : type;
    return inner.kind === "scalar" && inner.name === "file";
  });
}

/**
 * Identifies the fields of a REST request that the other version lacks by their
 * place, because clients do not send their names.
 */
function requestTree(
  { version }: Peer,
  method: Method,
  other: Method,
  value: unknown,
): Tree {
  const { fields } = method.request;
  const tree = projectMessage(version, fields, value);
  if (method.route.kind !== "rest") return tree;
  const shared = new Set(other.request.fields.map(({ jsonName }) => jsonName));
  const { slots } = wireOf(method).request;
  let at = 0;
  const places = new Map<string, string>();
  const pairs: string[] = [];
  for (const slot of slots) {
    if (slot.place === "fixed") continue;
    const { jsonName } = slot.field;
    if (slot.place === "path") places.set(jsonName, `/${at++}`);
    if (slot.place === "query") places.set(jsonName, `?${slot.name}`);
    if (slot.place === "header") places.set(jsonName, slot.name.toLowerCase());
    if (slot.place === "whole") places.set(jsonName, "*");
    if (["query", "header"].includes(slot.place)) pairs.push(jsonName);
  }
  const named = Object.entries(tree ?? {}).map(([name, item]) => [
    shared.has(name) ? name : (places.get(name) ?? name),
    pairs.includes(name) ? emptyAsAbsent(item) : item,
  ]);
  return Object.fromEntries(named);
}

/** Queries and headers cannot distinguish an empty list from an absent one. */
function emptyAsAbsent(item: Tree): Tree {
  return Array.isArray(item) && item.length === 0 ? null : item;
}

/** Returns the members that a request got only on its way. */
function gainedMembers(meant: Tree, read: Tree): readonly string[] {
  const known = Object.keys(meant ?? {});
  return Object.entries(read ?? {}).flatMap(([name, item]) =>
    item === null || String(item) === "" || known.includes(name) ? [] : name,
  );
}

/**
 * Identifies fields in headers by their headers, and drops the name of a field
 * that is the whole body.
 */
function answerTree({ version }: Peer, method: Method, value: unknown): Tree {
  const { route } = method;
  const tree = projectMessage(version, method.response.fields, value);
  if (route.kind !== "rest") return tree;
  const bodies = wireOf(method).response.wholes.map(({ jsonName }) => jsonName);
  if (bodies.length === 0 && route.statuses.length === 0) return tree;
  const places = new Map(
    route.responseHeaders.map(({ field, name }) => [field, name.toLowerCase()]),
  );
  const headers = [...places.keys()];
  for (const body of bodies) places.set(body, "*");
  if (route.statusOutput !== null) places.set(route.statusOutput, "status");
  return Object.fromEntries(
    Object.entries(tree ?? {}).flatMap(([name, item]) =>
      // Only the body of the response's status is present.
      item === null && bodies.length > 1 && bodies.includes(name)
        ? []
        : [
            [
              places.get(name) ?? name,
              headers.includes(name) ? emptyAsAbsent(item) : item,
            ],
          ],
    ),
  );
}

function printBig(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
