import { expect, it, vi } from "vitest";
import { defaultSendLimits } from "../../../runtime/typescript/server/model/pace.js";
import { fileStream } from "../../../runtime/typescript/server/responses/file-response.js";
import { PacedStream } from "../../../runtime/typescript/server/responses/paced-stream.js";
import { nextPiece } from "../../../runtime/typescript/server/responses/taking.js";
import { countTurns } from "./count-turns.js";

/** Returns a body of bytes, and takes a time for each piece, in milliseconds. */
function bodyOf(sizes: number[], busyMs = 0): PacedStream {
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const size = sizes.shift();
        if (size === undefined) return controller.close();
        const end = performance.now() + busyMs;
        while (performance.now() < end);
        controller.enqueue(new Uint8Array(size));
      },
    });
  const { signal } = new AbortController();
  const source = fileStream({ stream }, signal, () => {});
  return new PacedStream(source, defaultSendLimits);
}

it("lets other events in between pieces that take time", async () => {
  const { pieces, turns } = await countTurns(bodyOf(Array(20).fill(10), 2));
  expect(pieces).toBe(20);
  expect(turns).toBeGreaterThanOrEqual(pieces - 1);
});

it.each(["a file whose pieces are ready", "a long piece"])(
  "lets other events in after many pieces of %s",
  async (kind) => {
    const isLong = kind === "a long piece";
    const { pieces, turns } = await countTurns(
      bodyOf(isLong ? [2 ** 26] : Array(1000).fill(10)),
    );
    expect(pieces).toBeGreaterThanOrEqual(1000);
    expect(turns).toBeGreaterThanOrEqual(2);
  },
);

it("counts the pieces of all bodies together", async () => {
  const bodies = Array.from({ length: 50 }, () => bodyOf([2 ** 22]));
  const counts = await Promise.all(bodies.map(countTurns));
  // They have 200 MiB. In a turn, 24 MiB are sent, and a piece of each body.
  const most = Math.max(...counts.map(({ turns }) => turns));
  expect(most).toBeGreaterThanOrEqual(5);
});

it("sends a response of a megabyte without waiting for others", async () => {
  const { pieces, turns } = await countTurns(bodyOf([2 ** 20]));
  expect(pieces).toBe(16);
  expect(turns).toBeLessThanOrEqual(1);
});

it("sends ten texts of a megabyte in one turn, so that none waits in memory", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const bodies = Array.from({ length: 10 }, () => {
    const texts = ["x".repeat(2 ** 20)];
    const source = { take: () => texts.pop() ?? null, cancel() {} };
    return new PacedStream(source, defaultSendLimits);
  });
  const counts = await Promise.all(bodies.map(countTurns));
  vi.useRealTimers();
  expect(Math.max(...counts.map(({ turns }) => turns))).toBeLessThanOrEqual(1);
});

it("goes on if the host runs no timers of an earlier request", async () => {
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  await nextPiece(bodyOf([10]));
  vi.useRealTimers();
  await countTurns(bodyOf(Array(3).fill(10), 2));
  const { turns } = await countTurns(bodyOf([2 ** 20]));
  expect(turns).toBeLessThanOrEqual(1);
});
