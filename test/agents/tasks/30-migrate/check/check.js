import { deepStrictEqual, strictEqual } from "node:assert";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";

const book = { id: 1, title: "Emma", price: 7 };
const missing = [404, { message: "no such book" }];

/** Answers like the shop. */
function answer(request, body) {
  if (request === "GET /v2/books/1") return [200, book];
  if (request === "PUT /v2/books/1") return [200, { id: 1, ...body }];
  if (request === "DELETE /v2/books/1") return [204];
  if (request === "POST /v2/books")
    return body.title === "Dune"
      ? [409, { message: "there is one already" }]
      : [201, { id: 2, ...body }];
  return request.startsWith("GET /v2/books?") ? [200, [book]] : missing;
}

const requests = [];
const server = createServer(async (incoming, response) => {
  const { method, url, headers } = incoming;
  const sent = await text(incoming);
  requests.push(
    [
      `${method} ${url}`,
      headers.authorization,
      headers["x-program"],
      headers["if-match"] ?? "-",
      headers["content-type"] ?? "-",
      sent,
    ].join(" | "),
  );
  const body = sent === "" ? undefined : JSON.parse(sent);
  const [status, answered] = answer(`${method} ${url}`, body);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(answered && JSON.stringify(answered));
}).listen(0);
await once(server, "listening");

const env = {
  ...process.env,
  SHOP: `http://localhost:${server.address().port}`,
  TOKEN: "token-of-ada",
};
const { stdout } = await promisify(execFile)("node", ["dist/src/main.js"], {
  env,
});
strictEqual(
  stdout,
  `[ '1 Emma 7' ]
2 SICP free
409 there is one already
1 Emma 12
no book 404
true false
`,
);
const by = "Bearer token-of-ada | stock";
const json = "application/json";
deepStrictEqual(requests, [
  `GET /v2/books?limit=20&tag=classic&tag=used%20%26%20new | ${by} | - | - | `,
  `POST /v2/books | ${by} | - | ${json} | {"title":"SICP"}`,
  `POST /v2/books | ${by} | - | ${json} | {"title":"Dune"}`,
  `GET /v2/books/1 | ${by} | - | - | `,
  `PUT /v2/books/1 | ${by} | "7" | ${json} | {"title":"Emma","price":12}`,
  `GET /v2/books/404 | ${by} | - | - | `,
  `DELETE /v2/books/1 | ${by} | - | - | `,
  `DELETE /v2/books/404 | ${by} | - | - | `,
]);
server.closeAllConnections();
server.close();
