import { isDeepStrictEqual } from "node:util";
import { calls, list } from "../server/contract/items.js";
import {
  handlers,
  ordersRequest,
  priceRequest,
} from "../server/contract/messages.js";
import { ask } from "../server/load.js";
import { requestBytes } from "../server/request.js";
import { followed } from "../server/contract/transfers.js";

const uploadBytes = 10_000_000;
const query = calls.find(({ verb }) => verb === "GET").path.split("?")[1];

const post = (name, method, message) => ({
  name,
  method,
  connections: 10,
  bytesFor: ({ paths, wrap }) =>
    requestBytes(paths[method], JSON.stringify(wrap(message))),
  isRight: ({ unwrap }, text) =>
    isDeepStrictEqual(unwrap(JSON.parse(text)), handlers[method](message)),
});

/** The requests that are measured. */
export const cells = [
  post("small call", "GetPrice", priceRequest),
  post("10 items", "GetOrders", ordersRequest(10)),
  {
    name: "GET with a query",
    method: "List",
    connections: 10,
    bytesFor: ({ paths }) =>
      requestBytes(`${paths.List}?${query}`, "", {
        verb: "GET",
        headers: { "content-type": null, "content-length": null },
      }),
    isRight: (_, text) => isDeepStrictEqual(JSON.parse(text), list()),
  },
  {
    name: "upload of 10 MB",
    method: "Put",
    connections: 2,
    warmCount: 20,
    bytesFor: ({ paths }) =>
      requestBytes(paths.Put, "x".repeat(uploadBytes), {
        verb: "PUT",
        headers: { "content-type": "application/octet-stream" },
      }),
    isRight: (_, text) => JSON.parse(text).bytes === uploadBytes,
  },
  {
    name: "stream of 1,000 items",
    method: "Follow",
    connections: 2,
    warmCount: 20,
    bytesFor: ({ paths }) => requestBytes(paths.Follow, "{}"),
    type: "application/x-ndjson",
    isRight: ({ opening }, text) =>
      text.startsWith(opening) &&
      text.endsWith("\n") &&
      isDeepStrictEqual(
        text
          .slice(opening.length, -1)
          .split("\n")
          .map((line) => JSON.parse(line)),
        followed.map((item) => ({ item })),
      ),
  },
];

/**
 * Throws unless a server answers a cell's request as the contract says: the
 * status, the content type and the values of the body.
 */
export async function check(subject, { port }, cell) {
  const { status, head, text } = await ask(port, cell.bytesFor(subject));
  const { type: expected = "application/json" } = cell;
  const [, type] = /^content-type: *([^;\r]*)/imu.exec(head) ?? [];
  if (status === 200 && type === expected && isRight(subject, text(), cell)) {
    return;
  }
  throw new Error(
    `${subject.name}, ${cell.name}: ${status} ${type} ${text().slice(0, 300)}`,
  );
}

function isRight(subject, text, cell) {
  try {
    return cell.isRight(subject, text);
  } catch {
    // The body is not JSON, or has another form.
    return false;
  }
}
