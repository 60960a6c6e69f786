import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  compile,
  compileErrors,
  generate,
  readBlocks,
  run,
} from "./program.js";

const contract = `webrpc = v1

name = bank
version = v1.0.0

error 1401 Denied "denied" HTTP 401

type Token: string
  + header = Authorization
  + scheme = Bearer
  + error = Denied

service Bank
  @idempotencyKey @auth:Authorization
  - Transfer(to: string, cents: uint32) => (id: uint32)
`;

/** The pages that show the option `tenant`, which is about limits alone. */
const pages = ["server.md", "guides/deployment.md", "guides/workers.md"];

/** Returns the options `tenant` of the pages. */
function readTenants(): readonly string[] {
  return pages.map((page) => {
    const text = readFileSync(`docs/${page}`, "utf8");
    const [, tenant] = /tenant: (\([^`]*?header\("[\w-]+"\))/u.exec(text) ?? [];
    return tenant ?? expect.unreachable(`${page} has no tenant`);
  });
}

const program = (create: string): string => `
import { idempotency, memoryAnswers } from "@ridlkit/runtime/idempotency";
import { createBankServer } from "./generated/server.js";

let count = 0;
const users = { idOf: async (token: string) => token.split(" ")[0] ?? null };
const required = {
  handlers: { bank: { transfer: () => ({ id: (count += 1) }) } },
  idempotency: idempotency(memoryAnswers()),
};
const servers = [${create}];
for (const server of servers) {
  const pay = async (token: string, address: string) => {
    const response = await server.fetch(
      new Request("http://bank.test/rpc/Bank/Transfer", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "idempotency-key": '"k"',
          authorization: \`Bearer \${token}\`,
          "x-real-ip": address,
          "cf-connecting-ip": address,
        },
        body: '{"to":"Grace","cents":500}',
      }),
    );
    return response.text();
  };
  // Two colleagues with one address, then a new token in another network.
  console.log(
    await pay("ada 1", "1.1.1.1"),
    await pay("bob 1", "1.1.1.1"),
    await pay("ada 2", "2.2.2.2"),
  );
}
`;

test("a keyed server compiles only with a caller, whatever its tenant", async () => {
  const [sandbox, refused] = [
    await generate({ "bank.ridl": contract }),
    await generate({ "bank.ridl": contract }),
  ];
  const snippet = readBlocks("docs/idempotency.md").find(({ text }) =>
    text.includes("caller:"),
  );
  const create = (snippet?.text ?? "").trim().replace(/;$/u, "");
  const caller = "  caller: ({ state }) => state.userId,\n";
  expect(create).toContain(caller);
  const without = program(create.replace(caller, ""));
  expect(compileErrors(refused, { "keyed.ts": without })).toContain("caller");

  const servers = readTenants().map((tenant) =>
    create.replace(caller, `${caller}  tenant: ${tenant},\n`),
  );
  compile(sandbox, { "keyed.ts": program([create, ...servers].join(",\n")) });
  // The servers share a store.
  const line = '{"id":1} {"id":2} {"id":1}\n';
  expect(run(sandbox, "dist/keyed.js")).toBe(line.repeat(pages.length + 1));
});
