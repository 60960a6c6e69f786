import {
  callTransfer,
  type TransferMethod,
} from "../../../../runtime/typescript/client/transfer.js";
import { openStream } from "../../../../runtime/typescript/client/stream.js";
import { stream } from "../../../../runtime/typescript/codegen/create-streams.js";
import { transfer } from "../../../../runtime/typescript/codegen/create-transfers.js";
import { pricesWatch } from "../../../golden/fixtures/event-streams/expected/client.js";
import { picturesGet } from "../../../golden/fixtures/file-bodies/expected/client.js";
import { partBytes } from "./part-bytes.js";
import type { ProxyKind } from "./start-proxy.js";

/**
 * Reads a transfer that ends in some way. Yields the number of bytes of each part
 * of a file, and 1 for each item of a stream.
 */
export type Parts = (baseUrl: string, ending: string) => AsyncIterable<number>;

const download = transfer("/rpc/Files/Download", { file: "file" });

async function* bytesOf(
  baseUrl: string,
  method: TransferMethod,
  request: object,
): AsyncGenerator<number> {
  const options = { baseUrl, timeoutMs: 5000 };
  const response = await callTransfer(options, method, request);
  const { file } = Object(response);
  for await (const { length } of file.stream()) yield length;
}

async function* itemsOf(items: AsyncIterable<unknown>): AsyncGenerator<number> {
  for await (const _ of items) yield 1;
}

/** The kinds of transfers, each of two items or parts. */
export const transfers: Readonly<Record<string, Parts>> = {
  lines: (baseUrl, ending) =>
    itemsOf(openStream({ baseUrl }, stream("/rpc/Clock/Watch"), { ending })),
  events: (baseUrl, ending) =>
    itemsOf(openStream({ baseUrl }, pricesWatch, { ticker: ending })),
  "a file of known size": (baseUrl, ending) =>
    bytesOf(baseUrl, download, { ending, size: sizeOf(ending) }),
  "a file of unknown size": (baseUrl, ending) =>
    bytesOf(baseUrl, download, { ending }),
  "a REST file of known size": (baseUrl, ending) =>
    bytesOf(baseUrl, picturesGet, { id: `${ending},${sizeOf(ending)}` }),
  "a REST file of unknown size": (baseUrl, ending) =>
    bytesOf(baseUrl, picturesGet, { id: ending }),
};

/** The count of a transfer that is complete. */
export function wholeOf(name: string): number {
  return name.includes("file") ? 2 * partBytes : 2;
}

/** The announced size of a file, which is never reached if it is cut. */
export function sizeOf(ending: string): number {
  return (ending === "complete" ? 2 : 3) * partBytes;
}

/** Whether the server refuses a transfer whose end could not be seen. */
export function isRefused(kind: ProxyKind, name: string): boolean {
  return kind.isHttp10 && name.endsWith("unknown size");
}
