import { expect, it } from "vitest";

import {
  createMarketplaceServer,
  type MarketplaceServerOptions,
} from "../../generated/marketplace/server.js";
import { samples } from "./samples.js";

const requiredOf = <State>(): MarketplaceServerOptions<State> => ({
  verifyAccessKey: () => true,
  handlers: {
    marketplace: {
      getHighestPriceOfferForCollectible: () =>
        samples["Marketplace.GetHighestPriceOfferForCollectible"].response,
      checkoutOptionsSalesContract: () =>
        samples["Marketplace.CheckoutOptionsSalesContract"].response,
      getOrders: () => samples["Marketplace.GetOrders"].response,
    },
  },
});

const required = requiredOf<undefined>();

const path = "/polygon/rpc/Marketplace/GetOrders";
const { request } = samples["Marketplace.GetOrders"];

it("the `methods` option accepts only names of the contract's methods", async () => {
  const server = createMarketplaceServer({
    ...required,
    methods: { "Marketplace/GetOrders": { maxBodyBytes: 10 } },
  });
  const answer = await server.fetch(
    new Request(`http://host${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-access-key": "k" },
      body: JSON.stringify(request),
    }),
  );
  expect([answer.status, await answer.text()]).toEqual([
    413,
    expect.stringContaining("larger than 10 bytes"),
  ]);
  expect(() =>
    createMarketplaceServer({
      ...required,
      // @ts-expect-error The method does not exist.
      methods: { "Marketplace/GetOders": {} },
    }),
  ).toThrow("the unknown method Marketplace/GetOders");
});

it("read-only methods support GET if `readsByGet` is set", async () => {
  const server = createMarketplaceServer({ ...required, readsByGet: true });
  const query = new URLSearchParams({ request: JSON.stringify(request) });
  const headers = { "x-access-key": "k" };
  const get = (more: Record<string, string> = {}): Promise<Response> =>
    server.fetch(
      new Request(`http://host${path}?${query}`, {
        headers: { ...headers, ...more },
      }),
    );
  const answer = await get();
  expect(await answer.json()).toEqual(
    samples["Marketplace.GetOrders"].response,
  );
  const etag = answer.headers.get("etag") ?? "";
  expect((await get({ "if-none-match": etag })).status).toBe(304);
  const closed = createMarketplaceServer(required);
  const { status } = await closed.fetch(new Request(`http://host${path}`));
  expect(status).toBe(405);
});

it("requires `createState` if the state has a type", () => {
  interface State {
    readonly user: string;
  }
  const stated = requiredOf<State>();
  const createState = (): State => ({ user: "ada" });
  const servers = [
    // @ts-expect-error There is no `createState`.
    createMarketplaceServer<State>(stated),
    createMarketplaceServer<State>({ ...stated, createState }),
    createMarketplaceServer({ ...stated, createState }),
    createMarketplaceServer(required),
  ];
  expect(servers).toHaveLength(4);
});

it("`tenant` gets the verified credential", async () => {
  const seen: unknown[] = [];
  const server = createMarketplaceServer({
    ...required,
    verifyAccessKey: (key) => key === "valid",
    maxConcurrentPerTenant: 1,
    tenant: (_context, _request, credential) => {
      seen.push(credential);
      return credential;
    },
  });
  for (const key of ["made up", "valid"]) {
    await server.fetch(
      new Request(`http://host${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-access-key": key },
        body: JSON.stringify(request),
      }),
    );
  }
  expect(seen).toEqual(["valid"]);
});
