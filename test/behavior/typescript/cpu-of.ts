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
