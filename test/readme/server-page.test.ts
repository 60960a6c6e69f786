import { expect, test } from "vitest";
import { compile, generate, readBlocks, run, textOf } from "./program.js";

const page = "docs/server.md";
const programs = readBlocks(page).filter(({ language }) => language === "ts");

/** Code that the test puts before each program of the page. */
const prelude = `
import { createKey, type Interceptor } from "@ridlkit/runtime/server";
import { toPointer } from "@ridlkit/runtime/validation";
import { createShopServer, type ShopServerOptions } from "./generated/server.js";

const required: ShopServerOptions = {
  verifyApiKey: () => true,
  handlers: {
    shop: {
      getPrice: () => ({ cents: 6400 }),
      order: () => Promise.resolve({ id: 7 }),
    },
  },
};
`;

/** Stops a program shortly after it starts. It must then end by itself. */
const stop = `setTimeout(() => process.kill(process.pid, "SIGTERM"), 50);`;

/** Calls the server with the limited rate once more than it allows. */
const calls = `
const statuses: number[] = [];
let last = new Response();
for (let count = 0; count <= 100; count += 1) {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "key" },
    body: JSON.stringify({ isbn: "9780262510875" }),
  };
  last = await limited.fetch(
    new Request("http://shop.example/at/rpc/Shop/Order", init),
  );
  statuses.push(last.status);
}
const { error } = await last.json();
console.log(statuses.lastIndexOf(200), last.status, error);
console.log(last.headers.get("retry-after"));
`;

test("docs/server.md limits the rate of calls", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  const limited = programs.find(({ text }) => text.includes("limitRate"));
  const text = prelude + (limited?.text ?? "") + calls;
  compile(sandbox, { "main.ts": text }, { noUnusedLocals: false });
  expect(run(sandbox, "dist/main.js")).toBe("99 429 TooFast\n60\n");
});

test("docs/server.md shows programs that compile and run", async () => {
  const sandbox = await generate({ "shop.ridl": textOf(page, "shop.ridl") });
  expect(programs.length).toBeGreaterThan(8);
  const examples = programs.map(({ text }, index) => {
    const ending = text.includes("SIGTERM") ? stop : "";
    const body = text.replace("8080", "0");
    return [`example-${index}.ts`, prelude + body + ending] as const;
  });
  const imports = programs.map((_, index) => `import "./example-${index}.js";`);
  const files = {
    ...Object.fromEntries(examples),
    "main.ts": imports.join("\n"),
  };
  compile(sandbox, files, { noUnusedLocals: false });
  expect(run(sandbox, "dist/main.js")).toBe("");
});
