import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { startHarness, type Harness } from "./harness.js";
import { samples } from "./samples.js";
import { sendBody } from "./wire.js";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const operation = "API.GetLinkedWallets";
const { request } = samples[operation];

/** An invalid signature that contains a recognizable marker. */
const wrongSignature = fc
  .tuple(fc.jsonValue(), fc.string(), fc.string())
  .map(([value, before, after]): unknown => {
    const text = `${before}MARK${after}`;
    return [text, [text], { [text]: value }, { a: { b: text } }, [value, text]];
  })
  .chain((values) => fc.constantFrom(...(values as readonly unknown[])));

it("never repeats an invalid value of a sensitive field", async () => {
  await fc.assert(
    fc.asyncProperty(wrongSignature, async (parentWalletSignature) => {
      harness.reset();
      const body = { ...request, parentWalletSignature };
      const { status, text, headers } = await sendBody(
        harness,
        operation,
        body,
      );
      expect(status).toBe(400);
      expect(text).toContain("parentWalletSignature: expected");
      expect(text).toContain("got a hidden value");
      expect(text + JSON.stringify([...headers])).not.toContain("MARK");
      expect(harness.failures).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it("reports all other faults in the same request", async () => {
  const body = { parentWalletSignature: "MARK", signatureChainId: 5 };
  const { text } = await sendBody(harness, operation, body);
  const { cause } = JSON.parse(text) as { cause: string };
  expect(cause.split("; ")).toEqual([
    expect.stringMatching(/^parentWalletAddress: .* got nothing$/u),
    expect.stringMatching(/^parentWalletMessage: .* got nothing$/u),
    expect.stringMatching(/^parentWalletSignature: .* got a hidden value$/u),
    expect.stringMatching(/^signatureChainId: .* got 5$/u),
  ]);
});
