import { createServer } from "node:http";
import { listenForTest } from "../../support/listen-for-test.js";
import { type Bug, serve, shop } from "./shop.js";

/** Serves the shop on a local port, and returns its base URL. */
export async function startShop(bug: Bug = {}): Promise<string> {
  const answer = await serve(bug);
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers, method = "GET", url = "/" } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const result = await answer(`http://shop.example${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [
        name,
        String(value),
      ]),
      ...(hasBody && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(result.status, Object.fromEntries(result.headers));
    response.end(Buffer.from(await result.arrayBuffer()));
  });
  return (await listenForTest(server)).url;
}

/** A project with the shop's contract. */
export const project = {
  "shop.ridl": shop,
  "ridl.config.yaml": "schema: [shop.ridl]\n",
};

/** Flags for a short run that leaves enough time on a busy machine. */
export const brief = ["--seed", "1", "--runs", "2", "--max-time", "1000"];
