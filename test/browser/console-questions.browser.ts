import { expect, test } from "vitest";
import { openMockedConsole, waitForPage } from "./open-mocked-console.js";

const { openTab, url } = await openMockedConsole();

const at = "2026-01-31T12:00:00Z";
const requestId = "5b0f1b0a-3c7e";
const wallet = `0x${"a".repeat(40)}`;

const call = {
  ...{ id: 2, projectId: 42, requestId, durationMs: 3, createdAt: at },
  ...{ service: "Relaying", method: "Relay", network: "polygon" },
  ...{ status: 200, invalidFields: [] },
};

const refused = {
  ...{ ...call, status: 403, error: "PermissionDenied" },
  cause: "the sponsor has reached its limit for 24 hours",
};

const expired = {
  ...{ id: 8, chainId: 137, wallet, status: "expired", requestId },
  ...{ cost: "0", maxCost: "2000", createdAt: at },
  reason: "no node accepts its transaction: the sender is not allowed",
};

const answers: Readonly<Record<string, object>> = {
  ListCalls: { calls: [refused] },
  ListRelays: {
    relays: [
      {
        ...{ id: 7, chainId: 137, wallet, status: "reverted", requestId },
        ...{ cost: "1000", maxCost: "2000", createdAt: at },
      },
      expired,
    ],
  },
  GetRevertReason: { reason: "not the owner" },
  ListDeliveries: {
    deliveries: [
      {
        ...{ key: "7:0xdd", projectId: 42, listenerId: 7, attempts: 3 },
        ...{ state: "pending", createdAt: at },
        reason: "paused: an earlier webhook to this listener failed",
      },
    ],
  },
  ListListeners: {
    listeners: [
      {
        ...{ id: 7, projectId: 42, chainId: 137, state: "set-aside" },
        ...{ url: "https://example.com/webhooks", skippedLogs: 0 },
        ...{ filters: { contractAddresses: [], events: [] } },
        reason: "block 99 needs 21,000 units of work",
        ...{ createdAt: at, updatedAt: at },
      },
    ],
  },
  ListGasSponsors: {
    gasSponsors: [
      {
        ...{ id: 7, projectId: 42, chainId: 137, address: wallet, name: "" },
        ...{ active: true, spent: "1500000000000000000" },
        ...{ dailyLimit: "2000000000000000000", left: "500000000000000000" },
        ...{ emptyAt: at, createdAt: at, updatedAt: at },
      },
    ],
  },
  GetReconciliation: {
    accounts: [
      {
        ...{ chainId: 137, account: wallet, balance: "0", reserved: "0" },
        ...{ paid: "0", difference: "0", lost: "250000000000000000" },
        ...{ unknown: 0, foreign: 1 },
      },
    ],
    tanks: [
      {
        ...{ projectId: 42, chainId: 137, balance: "1", filled: "0" },
        ...{ paid: "0", reserved: "0", difference: "1" },
      },
    ],
  },
  ListNodes: {
    nodes: [
      {
        ...{ chainId: 137, rpcUrl: 2, isOnlySource: false, wrongAt: at },
        wrong: "a count of 50 transactions, of which we signed none",
      },
      { chainId: 137, rpcUrl: 3, isOnlySource: true },
    ],
  },
};

/** The questions, the links to their answers, and the answers. */
test.each([
  ["why was this call refused", ["Calls"], [refused.cause]],
  ["why did this relay fail", ["Calls", "Relay"], ["not the owner"]],
  [
    "why did no node accept this relay",
    ["Calls", "Relay"],
    [/no node accepts its transaction: the sender/u],
  ],
  ["why does this webhook wait", ["My game", "Deliveries"], [/^paused: an/u]],
  [
    "why is this listener set aside",
    ["My game", "Webhooks"],
    [/21,000 units/u],
  ],
  [
    "what has this sponsor spent, and when is it out",
    ["My game", "Gas"],
    ["1.5 POL", "0.5 POL", /^tank empty/u],
  ],
  ["which node lies", ["Chains"], [/^a count of 50/u]],
  ["which node no other one can contradict", ["Chains"], ["One source only"]],
  [
    "what has an account lost, and which tank is wrong",
    ["Money"],
    ["0.25 POL", "Project 42 on"],
  ],
] as const)("answers %s within two clicks", async (question, links, texts) => {
  const tab = await openTab();
  let asked: unknown = null;
  const wanted = question.includes("relay") ? { calls: [call] } : undefined;
  for (const [method, json] of Object.entries(answers)) {
    const answer = method === "ListCalls" ? (wanted ?? json) : json;
    await tab.route(`**/rpc/*/${method}`, (route) => {
      if (method === "ListRelays") asked = route.request().postDataJSON();
      return route.fulfill({ json: answer });
    });
  }
  await tab.goto(url);
  await waitForPage(tab);
  expect(links.length).toBeLessThanOrEqual(2);
  for (const name of links) {
    await tab.getByRole("link", { name, exact: true }).click();
  }
  for (const text of texts) await tab.getByText(text).first().waitFor();
  // What a customer reports is the ID of the request.
  if (links.at(-1) === "Relay") expect(asked).toMatchObject({ requestId });
});
