import { list } from "./items.js";

/** The items of the stream. */
export const followed = Array.from({ length: 100 }, list).flat();

/** Reads a body to its end. Returns the number of its bytes. */
export async function countBytes(body) {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

/**
 * Sends items as lines of JSON, one after another, as hand-written code
 * does. `print` returns the line of an item.
 */
export function streamLines(print) {
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (next === followed.length) return controller.close();
      controller.enqueue(encoder.encode(print(followed[next++])));
    },
  });
  const headers = { "content-type": "application/x-ndjson" };
  return new Response(body, { headers });
}
