import { getAddress } from "viem";
import { expect, test } from "vitest";

import { UnavailableError } from "../../../generated/errors.js";
import { networkFacts } from "../../settings/network-facts.js";
import { readSettings } from "../../settings/read-settings.js";
import { openApi } from "../support/open-api.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";
import { listFacts, renderNetworkPage } from "./network-page.js";

const { networks } = readSettings({});

test("the facts are about networks of the settings, in the same order", () => {
  const ids = networks.map(({ chainId }) => chainId);
  const known = networkFacts.map(({ chainId }) => chainId);
  expect(ids.filter((id) => known.includes(id))).toEqual(known);
});

test("every fact has a checksummed address and names its source", () => {
  const facts = listFacts(networks).map(({ fact }) => fact);
  expect(facts.length).toBeGreaterThan(100);
  for (const { address, source } of facts) {
    expect(getAddress(address)).toBe(address);
    expect(source).toMatch(/^(?:@[\w-]+\/)?[\w-]+ \d+\.\d+\.\d+$/u);
  }
});

test("networks.md matches the facts", async () => {
  const page = renderNetworkPage(networks);
  await expect(page).toMatchFileSnapshot("../../networks.md");
});

test("reports missing settings if there are no facts", async () => {
  const database = await openTestDatabase();
  const api = await openApi(database, networks);
  const swap = {
    buyCurrencyAddress: "0x00000000000000000000000000000000000abcde",
    sellCurrencyAddress: "0x0000000000000000000000000000000000000000",
    buyAmount: "1",
    chainId: 13473,
  };
  const missing = {
    cause: expect.stringContaining("networks.immutable-zkevm-testnet.swap"),
  };
  const failure = await api.getSwapPrice(swap).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnavailableError);
  expect(failure).toMatchObject(missing);
  const { call, store } = servePlatform(database, { networks });
  const { accessKey } = await createTestProject(store);
  const { body } = await call(
    "/telos/rpc/Marketplace/GetOrders",
    { "x-access-key": accessKey },
    { input: [] },
  );
  expect(body).toMatchObject({
    error: "Unavailable",
    cause: expect.stringContaining("networks.telos.marketplace"),
  });
});
