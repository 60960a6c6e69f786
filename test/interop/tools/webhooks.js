// Sends each webhook of the shop, and validates what arrives against the
// OpenAPI document, using a third-party validator.
import { deepStrictEqual } from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { registerSchema, validate } from "@hyperjump/json-schema/openapi-3-1";
import { load } from "js-yaml";

const dialect = "https://spec.openapis.org/oas/3.1/schema-base";
const item = { id: 1, name: "SICP", kind: "book" };

/**
 * Throws unless all webhooks match the document.
 *
 * Input: the path of the document. Returns the number of webhooks sent.
 */
export async function checkWebhooks(path) {
  const document = load(readFileSync(path, "utf8"));
  registerSchema(document, "https://interop.test/openapi", dialect);
  const { createShopEventsSender } =
    await import("./.work/generated/client.js");
  const received = [];
  const server = createServer(async (request, response) => {
    const { headers } = request;
    received.push({ headers, body: JSON.parse(await text(request)) });
    response.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const url = `http://localhost:${server.address().port}/`;
  const sender = createShopEventsSender();
  await sender.itemSold(url, { item });
  await sender.shopClosed(url, { at: "2026-01-31T12:00:00Z" });
  server.close();

  const webhooks = Object.entries(document.webhooks);
  deepStrictEqual(received.length, webhooks.length);
  for (const [at, [name, { post }]] of webhooks.entries()) {
    const { body, headers } = received[at];
    const fits = await fitterOf(`webhooks/${name}/post/requestBody/content`);
    deepStrictEqual([fits(body), fits({}), fits(null)], [true, false, false]);
    const [{ name: header, schema }] = post.parameters;
    deepStrictEqual(headers[header], schema.const);
    deepStrictEqual(headers["content-type"], "application/json");
  }
  return webhooks.length;
}

/**
 * Returns a function that checks whether a value matches the schema of a body.
 */
async function fitterOf(content) {
  const schema = `https://interop.test/openapi#/${content}/application~1json/schema`;
  const check = await validate(schema);
  return (value) => check(value).valid;
}
