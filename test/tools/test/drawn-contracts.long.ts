import fc from "fast-check";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createPlan } from "../../../generator/4-emit/typescript/plan/create-plan.js";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import {
  exactOptions,
  loadGenerated,
} from "../../../cli/project/load-generated.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { allMethods } from "../../../generator/ir/methods-of.js";
import type { LoadModule } from "../../../tools/loaded.js";
import {
  createReference,
  referenceFiles,
} from "../../../tools/test/reference.js";
import { failuresOf, type TestReport } from "../../../tools/test/report.js";
import {
  selectMethods,
  testMethods,
} from "../../../tools/test/test-contract.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { arbitraryHosts } from "../../support/arbitrary-hosts.js";
import { listen } from "../../support/listen.js";

const echo = (request: unknown): unknown => request;

/** Handlers that return their argument. */
const handler = {
  ...{ send: echo, hold: echo, holdAgain: echo },
  askWhetherSomebodyIsThereAndAnswersAtAll: echo,
};

const options = { ...exactOptions({}), runtimeFiles: referenceFiles };

const seed = 1;

/** Creates the servers of both hosts. */
async function createServers(load: LoadModule): Promise<readonly RpcServer[]> {
  const left = Object(await load("left/server.js"));
  const right = Object(await load("right/server.js"));
  const onError = (error: unknown): never => {
    throw error;
  };
  return [
    left.createLeftServer({ handlers: { left: handler }, onError }),
    right.createRightServer({ handlers: { right: handler }, onError }),
  ];
}

/** Tests servers at their addresses. Returns a report of each method. */
async function testServers(
  contract: Contract,
  load: LoadModule,
  addresses: ReadonlyMap<string, string>,
  fetch: typeof globalThis.fetch,
): Promise<TestReport["methods"]> {
  const plan = createPlan(contract, options);
  const { testedMethods } = selectMethods(plan, { patterns: [], writes: true });
  const headers = new Map();
  const reference = await createReference(plan, load, headers);
  const settings = {
    ...{ addresses, fetch, headers, parameters: new Map(), values: new Map() },
    ...{ allowsQuirks: false, deadline: Infinity, timeoutMs: 60_000 },
    ...{ runs: 10, seed, writes: true, methods: allMethods(contract.hosts) },
  };
  return testMethods(testedMethods, reference, settings, () => {});
}

/** How the tested servers are called. */
const transports = {
  fetch: async (servers: readonly RpcServer[], contract: Contract) => {
    const urls = contract.hosts.map(
      ({ name }) => `http://${name.toLowerCase()}.example`,
    );
    const call: typeof fetch = (url, init) => {
      const request = new Request(url, init);
      const at = urls.indexOf(new URL(request.url).origin);
      return servers[at]?.fetch(request) ?? Promise.reject(new Error("host"));
    };
    return { call, urls, close: async () => {} };
  },
  node: async (servers: readonly RpcServer[]) => {
    const listening = await Promise.all(
      servers.map((server) => listen(createServer(toNodeHandler(server)))),
    );
    return {
      call: fetch,
      urls: listening.map(({ url }) => url),
      close: async () => {
        await Promise.all(listening.map((each) => each.close()));
      },
    };
  },
};

test.each(Object.entries(transports))(
  "`ridl test` finds no fault in servers of drawn contracts over %s",
  async (_, open) => {
    let requests = 0;
    let answered = 0;
    const property = fc.asyncProperty(arbitraryHosts, async (contract) => {
      const { load, remove } = await loadGenerated(
        contract,
        [{ name: "server" }, { name: "validators" }],
        options,
        createNodeSystem(),
      );
      try {
        const { call, close, urls } = await open(
          await createServers(load),
          contract,
        );
        const names = contract.hosts.map(({ name }) => name);
        const addresses = new Map(
          names.map((name, at) => [name, urls[at] ?? ""]),
        );
        const methods = await testServers(contract, load, addresses, call);
        await close();
        const report = { methods, url: "", seed, skipped: [], command: "" };
        const faults = failuresOf(report).map(([, failure]) => failure);
        expect(faults).toEqual([]);
        for (const { answers, checks } of methods) {
          answered += answers["success"] ?? 0;
          for (const each of checks) requests += each.requests;
        }
      } finally {
        remove();
      }
    });
    await fc.assert(property, { numRuns: 4 });
    console.log(`${requests} requests, ${answered} valid ones`);
    expect(answered).toBeGreaterThan(requests / 10);
  },
);
