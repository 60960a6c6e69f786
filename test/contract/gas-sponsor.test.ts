import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  accessKey,
  expiredSecret,
  secret,
  startHarness,
  type Harness,
} from "./harness.js";
import { wallet } from "./samples.js";
import { placeOf, sendRaw } from "./wire.js";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(() => {
  harness.reset();
});
afterAll(() => harness.close());

const good = { projectId: 42, address: wallet };
const key = { "X-Access-Key": accessKey };
const bearer = { Authorization: `Bearer ${secret}` };
const both = { ...key, ...bearer };

const keyNotFound = "401 AccessKeyNotFound";
const denied = "403 PermissionDenied";
const invalid = "400 InvalidArgument";

/**
 * Headers and bodies based on sections 5 and 7 of the interface document, and
 * the expected outcomes.
 */
const rules: readonly (readonly [
  rule: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  outcome: string,
])[] = [
  ["both keys", both, good, "200"],
  ["BEARER", { ...key, Authorization: `BEARER ${secret}` }, good, "200"],
  ["no key at all", {}, good, keyNotFound],
  ["only the secret", bearer, good, keyNotFound],
  [
    "unknown access key",
    { ...bearer, "X-Access-Key": "no" },
    good,
    keyNotFound,
  ],
  ["empty access key", { ...bearer, "X-Access-Key": "" }, good, keyNotFound],
  ["only the access key", key, good, denied],
  [
    "secret of another project",
    { ...key, Authorization: "Bearer no" },
    good,
    denied,
  ],
  ["secret without Bearer", { ...key, Authorization: secret }, good, denied],
  ["Bearer without secret", { ...key, Authorization: "Bearer " }, good, denied],
  ["basic", { ...key, Authorization: `Basic ${secret}` }, good, denied],
  [
    "expired secret",
    { ...key, Authorization: `Bearer ${expiredSecret}` },
    good,
    "403 SessionExpired",
  ],
  ["no projectId", both, { address: wallet }, invalid],
  ["projectId as a string", both, { ...good, projectId: "42" }, invalid],
  ["projectId below zero", both, { ...good, projectId: -42 }, invalid],
  ["projectId with a fraction", both, { ...good, projectId: 4.2 }, invalid],
  ["projectId null", both, { ...good, projectId: null }, invalid],
  ["no address", both, { projectId: 42 }, invalid],
  ["empty address", both, { ...good, address: "" }, invalid],
  ["short address", both, { ...good, address: "0x1234" }, invalid],
  ["address as a number", both, { ...good, address: 7 }, invalid],
  ["invalid body, no key: the key is checked first", {}, {}, keyNotFound],
  ["invalid body, no secret: the secret is checked first", key, {}, denied],
];

describe("AddGasSponsor", () => {
  it.each(rules)("%s", async (_, headers, body, outcome) => {
    const { status, text } = await sendRaw(
      harness,
      placeOf("Relayer.AddGasSponsor"),
      { "Content-Type": "application/json", ...headers },
      JSON.stringify(body),
    );
    const { error } = JSON.parse(text) as { error?: string };
    expect(error === undefined ? `${status}` : `${status} ${error}`).toBe(
      outcome,
    );
    expect(harness.calls).toHaveLength(outcome === "200" ? 1 : 0);
  });
});
