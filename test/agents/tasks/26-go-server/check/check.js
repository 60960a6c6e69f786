import { deepStrictEqual, strictEqual } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";

const program = spawn("built/shop", {
  env: { ...process.env, ADDRESS: "127.0.0.1:0" },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  let printed = "";
  program.stdout.on("data", (data) => (printed += data));
  while (!/http:\S+\n/u.test(printed)) await once(program.stdout, "data");
  const [url] = /http:\S+/u.exec(printed);

  const isbn = "9780262510875";
  const call = async (method, request, token) => {
    const response = await fetch(`${url}/rpc/Shop/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(request),
    });
    const { error, code, data, ...rest } = await response.json();
    return response.ok ? rest : [response.status, error, code, data];
  };

  const noToken = await call("Order", { isbn, count: 1 });
  deepStrictEqual(noToken, [401, "Unauthorized", 1401, undefined]);
  const badToken = await call("Order", { isbn, count: 1 }, "token-of-eve");
  deepStrictEqual(badToken, noToken);
  deepStrictEqual(await call("GetBook", { isbn }), { title: "SICP" });
  const bought = [
    await call("Order", { isbn, count: 2 }, "token-of-ada"),
    await call("Order", { isbn, count: 1 }, "token-of-bob"),
    await call("Order", { isbn, count: 3 }, "token-of-ada"),
  ];
  deepStrictEqual(bought, [
    { buyer: "Ada", left: 3 },
    { buyer: "Bob", left: 2 },
    [409, "SoldOut", 1409, { left: 2 }],
  ]);

  const none = "9790000000000";
  const missing = [404, "BookNotFound", 1404, undefined];
  deepStrictEqual(await call("GetBook", { isbn: none }), missing);
  const orderOfNone = { isbn: none, count: 1 };
  deepStrictEqual(await call("Order", orderOfNone, "token-of-ada"), missing);
  strictEqual((await call("GetBook", { isbn: "1" }))[1], "WebrpcBadRequest");

  const health = await fetch(`${url}/health`);
  strictEqual(await health.text(), "ok");
} finally {
  program.kill();
}
