import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { basicCredential } from "../../../runtime/typescript/client/client.js";
import {
  bodyOf,
  type CannedResponse,
  clientCases,
  isFor,
  messageOf,
  methodOf,
} from "../conformance/client-cases.js";
import type { WireOptions } from "../conformance/load-contract.js";
import { runCall } from "../conformance/run-call.js";
import {
  contract,
  serveContract,
  type AnyCall,
  type ServedContract,
} from "../conformance/served-contract.js";
import { eventually } from "./eventually.js";
import { hosts } from "./hosts.js";
import type { Place } from "./life-cycle-cases.js";
import {
  bundleClient,
  openClient,
  realms,
  type RealmClient,
  type Serve,
} from "./realms.js";
import { startPlace } from "./start-place.js";
import { startWire } from "./wire.js";

const credentials = {
  key: "key",
  secret: "secret",
  apiKey: "k&y é=",
  session: "s=1",
  userLogin: basicCredential({ username: "é", password: "a:b" }),
};
const forms: readonly WireOptions[] = [
  { int64: "number", timestamp: "string" },
  { int64: "bigint", timestamp: "date" },
];

describe.each(forms)("cases of clients with int64 as $int64", (form) => {
  let code: string;
  let served: ServedContract;
  beforeAll(async () => {
    const create = "createConformanceHostClient";
    code = await bundleClient(
      ...(["runtime/cases", "conformance.ridl", create, form] as const),
    );
    served = await serveContract(form);
  });

  describe.each(realms)("in $name", (realm) => {
    let serve: Serve;
    let client: ReturnType<ServedContract["createClient"]>;
    beforeAll(async () => {
      const pass: Serve = (url, init) => serve(url, init);
      const { createClient } = await openClient(realm, pass, code);
      client = createClient({ baseUrl: "http://host/", credentials });
    });

    // React Native has no `crypto`, with which clients create keys.
    const createsKeys = realm.name.startsWith("jsdom");
    const cases = clientCases.filter(
      (each) =>
        isFor(each, form) &&
        (createsKeys || each.name !== "client keys: a key of its own"),
    );
    for (const given of cases) {
      it(given.name, async () => {
        const { response } = given;
        serve = async (url, init) =>
          response === undefined
            ? served.server.fetch(new Request(url, init))
            : answerOf(response);
        await runCall(client, given, form, structuredClone);
        const received = given.echo ?? given.received;
        // Only the contract's own server notes what it receives.
        if (received === undefined || response !== undefined) return;
        const { request } = methodOf(contract, given);
        expect(served.seen()).toEqual(
          messageOf(contract, request.fields, received, form),
        );
      });
    }
  });
});

function answerOf(canned: CannedResponse): Response {
  const { headers, status } = canned;
  const isBare = status === 204 || status === 304;
  return new Response(isBare ? null : bodyOf(canned), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** A client in a realm, and the server that it calls. */
interface Meeting extends Place {
  readonly client: RealmClient;
  readonly work: Readonly<Record<string, AnyCall>>;
}

/** Reads a stream until it has a number of items. */
async function take(items: unknown, count: number): Promise<unknown[]> {
  const got: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>)
    if (got.push(item) === count) break;
  return got;
}

const calls: Readonly<Record<string, (meeting: Meeting) => Promise<void>>> = {
  async "calls and uploads arrive"({ client, work }) {
    expect(structuredClone(await work["ping"]?.())).toEqual({});
    const file = client.createFile("x".repeat(1000));
    const uploaded = await work["upload"]?.({ file });
    expect(structuredClone(uploaded)).toEqual({ bytes: 1000 });
  },
  async "a call that is left ends its handler"({ client, open, work }) {
    const controller = client.createController();
    const { signal } = controller;
    const left = Promise.resolve(work["sleep"]?.({ ms: 60_000 }, { signal }));
    const failed = expect(left).rejects.toMatchObject({ reason: "aborted" });
    await eventually(async () => (await open()).handlers, 1);
    controller.abort();
    await failed;
    await eventually(async () => (await open()).handlers, 0);
  },
  async "a call that misses its deadline ends its handler"({ open, work }) {
    const call = work["sleep"]?.({ ms: 60_000 }, { timeoutMs: 500 });
    await expect(call).rejects.toMatchObject({ reason: "timeout" });
    await eventually(async () => (await open()).handlers, 0);
  },
  async "a call that is refused has its error"({ client, work }) {
    const file = client.createFile("x");
    await expect(work["guarded"]?.({ file })).rejects.toMatchObject({
      name: "Unauthorized",
      status: 401,
    });
  },
};

const transfers: typeof calls = {
  async "streams and downloads are complete"({ work }) {
    expect(await take(work["count"]?.(), 99)).toHaveLength(10);
    const { file } = Object(await work["read"]?.());
    const content = await new Response(file.stream()).arrayBuffer();
    expect(content.byteLength).toBe(10_000);
  },
  async "a stream that is left ends"({ open, work }) {
    await take(work["wait"]?.(), 1);
    await eventually(async () => (await open()).streams, 0);
  },
  async "a stream whose connection is cut resumes"({ client, host }) {
    const wire = await startWire(host.port);
    onTestFinished(wire.close);
    const baseUrl = `http://127.0.0.1:${String(wire.port)}`;
    const { work } = client.createClient({ baseUrl });
    const reconnect = { minDelayMs: 10 };
    const items = work?.["follow"]?.({}, { reconnect });
    const got: unknown[] = [];
    for await (const item of items as AsyncIterable<object>)
      if (got.push({ ...item }) === 3) wire.cut();
    expect(got).toEqual(Array.from({ length: 10 }, (_, at) => ({ n: at + 1 })));
  },
};

describe("the life cycle of calls", () => {
  let code: string;
  beforeAll(async () => {
    code = await bundleClient(
      import.meta.dirname,
      "app/life-cycle.ridl",
      "createLifeCycleHostClient",
      { int64: "number", timestamp: "string" },
    );
  });

  async function meet(realm: (typeof realms)[number]): Promise<Meeting> {
    const host = hosts.find(({ name }) => name === "node:http");
    if (host === undefined) throw new Error("there is no host");
    const place = await startPlace(host, eventually);
    onTestFinished(async () => {
      place.close();
      await place.host.close();
    });
    const client = await openClient(realm, fetch, code);
    const baseUrl = `http://127.0.0.1:${String(place.host.port)}`;
    const { work = {} } = client.createClient({ baseUrl });
    return { ...place, client, work };
  }

  describe.each(realms)("in $name", (realm) => {
    for (const [name, run] of Object.entries(calls))
      it(name, async () => run(await meet(realm)));
    for (const [name, run] of Object.entries(transfers)) {
      it.runIf(realm.streams)(name, async () => run(await meet(realm)));
    }

    it.skipIf(realm.streams)("streams and downloads fail", async () => {
      const { work } = await meet(realm);
      const items = work["count"]?.({}, { reconnect: {} });
      await expect(take(items, 1)).rejects.toMatchObject({
        reason: "bad-response",
      });
      await expect(work["read"]?.()).rejects.toThrow();
    });
  });
});
