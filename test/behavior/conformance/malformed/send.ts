import { request } from "node:http";
import type { ReceivedAnswer } from "./find-fault.js";
import type { Row } from "./row.js";

/**
 * Sends a row to a local port. Returns null if no response arrives within
 * `patienceMs`.
 */
export function sendRow(
  port: number,
  method: string,
  row: Row,
  patienceMs = 5000,
): Promise<ReceivedAnswer> {
  const { headers = {}, body = "" } = row.request;
  return new Promise((resolve) => {
    const outgoing = request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path: `/rpc/Malformed/${method}`,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      timeout: patienceMs,
    });
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", () => resolve(null));
    outgoing.on("response", (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("error", () => resolve(null));
      incoming.on("end", () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: incoming.statusCode ?? 0, text });
      });
    });
    outgoing.end(body);
  });
}
