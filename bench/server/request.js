import { accessKey } from "./contract/messages.js";

/**
 * Returns the bytes of a request.
 *
 * Input: the path and the body, and differences from a valid request: another
 * HTTP method, or other headers (null omits one).
 */
export function requestBytes(path, body, { verb = "POST", headers = {} } = {}) {
  const lines = Object.entries({
    host: "localhost",
    "content-type": "application/json",
    "x-access-key": accessKey,
    "content-length": Buffer.byteLength(body),
    ...headers,
  })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${verb} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`,
  );
}
