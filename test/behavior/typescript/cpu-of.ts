import { expect } from "vitest";

export const mebibyte = 1024 * 1024;

/** Returns a text of about `length` characters between two others. */
export const fill = (
  piece: string,
  start = "",
  end = "",
  length = mebibyte,
): string => start + piece.repeat(Math.ceil(length / piece.length)) + end;

export const encode = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text);

/** An order as in the benchmarks of servers. */
export const order =
  '{"id":12345,"maker":"0x1234567890123456789012345678901234567890","price":"1000000000000000000","createdAt":"2024-05-01T10:00:00Z","status":"open","items":[1,2,3]}';

/** Returns a stream of bytes in chunks. */
export function streamOf(
  bytes: Uint8Array<ArrayBuffer>,
  chunkBytes = 65_536,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, (sent += chunkBytes)));
      if (sent >= bytes.length) controller.close();
    },
  });
}

/** Returns the least CPU time of five runs, in milliseconds for each MiB. */
export async function cpuOf(
  bytes: number,
  run: () => unknown,
): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const before = process.cpuUsage();
    await run();
    const { system, user } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times) / (bytes / mebibyte);
}

/**
 * Checks that something takes at most so many times the CPU time of something else.
 * Other programs can slow one of both down, so it measures both again before it
 * fails.
 *
 * Input: `known` is the first CPU time of the other one.
 */
export async function expectAtMost(
  times: number,
  own: () => Promise<number>,
  other: () => Promise<number>,
  known: number,
): Promise<void> {
  let limit = times * known;
  for (let left = 2; ; left -= 1) {
    const cost = await own();
    if (cost < limit || left === 0) return expect(cost).toBeLessThan(limit);
    limit = times * (await other());
  }
}
