import { deepStrictEqual, rejects, strictEqual } from "node:assert";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { documents } from "./documents.js";
import { createDocumentsClient } from "./generated/client.js";
import { contentOf, has } from "./store.js";
import { upload } from "./upload.js";

const http = createServer(toNodeHandler(documents)).listen(0);
await once(http, "listening");
const { port } = Object(http.address());

/** The bytes of all requests so far. */
let sent = 0;
/** What the network does with the next requests, if it does not pass them on. */
let faults: ("before" | "after" | null)[] = [];

const send: typeof globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const body = await request.arrayBuffer();
  sent += body.byteLength;
  const fault = faults.shift();
  if (fault === "before") throw new TypeError("the network is down");
  const url = Object.assign(new URL(request.url), { port });
  const { headers, method } = request;
  const response = await fetch(url, { method, headers, body });
  if (fault !== "after") return response;
  await response.arrayBuffer();
  throw new TypeError("the response is lost");
};

const mebibyte = 1024 * 1024;

/** Uploads a document, and checks what is reported. */
async function checkUpload(content: Uint8Array<ArrayBuffer>): Promise<void> {
  const reports: number[] = [];
  sent = 0;
  await upload(send, "report.pdf", new Blob([content]), (bytes) => {
    reports.push(bytes);
    strictEqual(bytes <= contentOf("report.pdf").length, true, "too early");
  });
  strictEqual(Buffer.compare(contentOf("report.pdf"), content), 0);
  strictEqual(reports.at(-1), content.length);
  const steps = reports.map(
    (bytes, index) => bytes - (reports[index - 1] ?? 0),
  );
  strictEqual(
    steps.every((step) => step >= 0 && step <= mebibyte),
    true,
    `reports: ${reports.join()}`,
  );
}

const long = randomBytes(4 * mebibyte + 1234);
await checkUpload(long);

// Each fault costs at most a MiB.
for (const fault of ["before", "after"] as const) {
  faults = [null, fault, null, fault, fault];
  await checkUpload(long);
  deepStrictEqual(faults, []);
  const most = long.length + 3 * mebibyte + 100_000;
  strictEqual(sent <= most, true, `${sent} bytes were sent`);
}

// A shorter document replaces a longer one.
await checkUpload(randomBytes(10));
await checkUpload(randomBytes(2 * mebibyte));
await upload(send, "empty.pdf", new Blob(), () => {});
strictEqual(has("empty.pdf"), true);

// It gives up.
faults = Array.from({ length: 100 }, () => "before" as const);
await rejects(upload(send, "none.pdf", new Blob([long]), () => {}));
strictEqual(faults.length, 97);
faults = [];

const baseUrl = `http://localhost:${port}`;
const old = createDocumentsClient({ baseUrl });
const whole = { name: "old.pdf", content: new Blob([long]) };
strictEqual((await old.upload(whole)).bytes, long.length);
strictEqual(Buffer.compare(contentOf("old.pdf"), long), 0);
http.closeAllConnections();
http.close();
