import { Agent, request } from "node:http";

/**
 * Sends a request. The body is a string, a buffer, or an iterable of chunks,
 * which are sent without their total length.
 *
 * Returns the status and the text of the response. The status is 0 if the server
 * closed the connection without a response, and -1 if it took too long.
 */
export function send(port, { method = "POST", path, headers, body }) {
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers, agent },
      (response) => {
        const chunks = [];
        const end = () =>
          resolve({
            status: response.statusCode,
            text: Buffer.concat(chunks).toString(),
          });
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", end);
        response.on("error", end);
      },
    );
    sent.setTimeout(60_000, () => {
      resolve({ status: -1, text: "" });
      sent.destroy();
    });
    // A server may respond and close the connection while the body is sent.
    sent.on("error", () => setTimeout(resolve, 100, { status: 0, text: "" }));
    write(sent, body);
  });
}

async function write(sent, body) {
  if (body === undefined || typeof body === "string" || Buffer.isBuffer(body)) {
    sent.end(body);
    return;
  }
  const isClosed = new Promise((resolve) => sent.once("close", resolve));
  for (const chunk of body) {
    if (sent.destroyed) return;
    if (!sent.write(chunk)) await Promise.race([isDrained(sent), isClosed]);
  }
  sent.end();
}

const isDrained = (sent) =>
  new Promise((resolve) => sent.once("drain", resolve));
