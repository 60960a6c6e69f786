import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createSandbox } from "../../cli/support/sandbox.js";
import { listenForTest } from "../../support/listen-for-test.js";

// Most of these texts cannot be in a header.
const contract = `webrpc = v1
name = shop
version = v1.0.0

error 1 Unauthorized "no key" HTTP 401

type Key: string
  + header = X-Key
  + error = Unauthorized

service Shop
  @http:"DELETE /books 204" @auth:"X-Key" @requestHeaders:"X-Note={note}, X-Names={names}"
  - Delete(note: string, names: []string)
`;

test.each([1, 2, 3, 4])(
  "finds that a server checks no credentials, with seed %d",
  async (seed) => {
    const server = createServer((_, response) => {
      response.writeHead(204);
      response.end();
    });
    const { url } = await listenForTest(server);
    const sandbox = createSandbox({
      "shop.ridl": contract,
      "ridl.config.yaml": "schema: [shop.ridl]\n",
    });
    const { exitCode, stdout } = await sandbox.run([
      ...["test", url, "--writes", "--header", "X-Key: good"],
      ...["--seed", `${seed}`, "--runs", "4", "--max-time", "1000"],
    ]);
    expect(stdout).toContain("credentials: no X-Key");
    expect(stdout).toContain("credentials: a wrong X-Key");
    expect(exitCode).toBe(1);
  },
);
