import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const contract = `webrpc = v1
name = orders
version = v1.0.0

service Orders
  @get:"/orders/{id}"
  - Get(id: string) => (name: string)
  @get:"/orders?name"
  - Find(name: string) => (id: string)
  @http:"DELETE /orders/{id}"
  - Delete(id: string)
`;

test.each(["go", "python"])("%s accepts REST methods", async (target) => {
  const sandbox = createSandbox({
    "orders.ridl": contract,
    "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
  });
  const run = await sandbox.run(["generate"]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
});

test.each(["idempotencyKey", "idempotencyKey:optional"])(
  "go and python accept @%s",
  async (annotation) => {
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

service Orders
  @${annotation}
  - Order(sku: string)
`,
      "ridl.config.yaml": "schema: [orders.ridl]\nemit: [python, go]\n",
    });
    const run = await sandbox.run(["generate"]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  },
);

test("python warns that receivers of webhooks write envelopes", async () => {
  const run = async (target: string, more = "") => {
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

struct Failure
  - message: string
    + error = message
  - left?: uint32
    + header = X-Left

type Failures: Failure
  + errorBody = "application/json"

service Orders
  - Get(id: string) => (name: string)
${more}`,
      "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
    });
    return sandbox.run(["generate"]);
  };
  const webhook = "\nservice Webhook\n  @webhook\n  - Notify(id: string)\n";
  expect(await run("go", webhook)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await run("python")).toMatchObject({ exitCode: 0, stderr: "" });
  const warned = await run("python", webhook);
  expect(warned.exitCode).toBe(0);
  expect(warned.stderr).toContain(
    "warning[unsupported-error-body]: Python receivers of webhooks write errors as webrpc's envelope",
  );
  expect(warned.stderr).toContain("the errors of `orders` are `Failure`");
});

test("python refuses unions whose variants it cannot tell apart", async () => {
  const run = async (variants: string, target: string) => {
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

enum Level: uint8
  - low
  - high

type Ratio: float64

type Amount: any
  + oneOf = ${variants}

service Orders
  - Pay(amount: Amount) => ()
`,
      "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
    });
    return sandbox.run(["generate"]);
  };
  for (const variants of ["bigint|float64", "uint64|bigint", "bigint|Ratio"]) {
    expect(await run(variants, "go")).toMatchObject({ exitCode: 0 });
    const refused = await run(variants, "python");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(
      "error[unsupported-union]: Python cannot tell the variants of `Amount` apart",
    );
  }
  expect(await run("string|float64", "python")).toMatchObject({ exitCode: 0 });
  expect(await run("bigint|bool", "python")).toMatchObject({ exitCode: 0 });
});

test("typescript refuses a union of two bigints", async () => {
  const run = async (variants: string, settings: string, command: string) => {
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

type Small: uint64
  + maximum = 9

type Amount: any
  + oneOf = ${variants}

service Orders
  - Pay(amount: Amount) => ()
`,
      "ridl.config.yaml": `schema: [orders.ridl]\n${settings}`,
    });
    return sandbox.run([command]);
  };
  const refused = "TypeScript cannot tell the variants of `Amount` apart";
  const bigint = "int64: bigint\n";
  for (const settings of [bigint, `${bigint}emit: [client]\n`])
    for (const command of ["check", "generate"])
      for (const variants of ["bigint|uint64", "int64|bigint"]) {
        const { exitCode, stderr, stdout } = await run(
          variants,
          settings,
          command,
        );
        expect(exitCode).toBe(1);
        expect(stdout + stderr).toContain(refused);
      }
  for (const variants of ["bigint|int32", "bigint|Small", "string|int64"])
    expect(await run(variants, bigint, "generate")).toMatchObject({
      exitCode: 0,
    });
  expect(await run("bigint|int64", "", "generate")).toMatchObject({
    exitCode: 0,
  });
});

test("kotlin refuses classes that the JVM does not load", async () => {
  const forms = ["struct", "request", "response"] as const;
  const run = async (
    type: string,
    count: number,
    form: (typeof forms)[number] = "struct",
  ) => {
    const names = Array.from({ length: count }, (_, index) => `f${index}`);
    const fields = names.map((name) => `  - ${name}: ${type}\n`).join("");
    const inline = names.map((name) => `${name}: ${type}`).join(", ");
    const text = {
      struct: `struct Wide\n${fields}\nservice Orders\n  - Get() => (wide: Wide)\n`,
      request: `service Orders\n  - Get(${inline})\n`,
      response: `service Orders\n  - Get() => (${inline})\n`,
    }[form];
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1\nname = orders\nversion = v1.0.0\n\n${text}`,
      "ridl.config.yaml": "schema: [orders.ridl]\nemit: [kotlin]\n",
    });
    return sandbox.run(["generate"]);
  };
  expect(await run("string", 244)).toMatchObject({ exitCode: 0 });
  expect(await run("float64", 124)).toMatchObject({ exitCode: 0 });
  for (const form of forms) {
    const refused = await run("string", 245, form);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("error[too-many-fields]: Kotlin cannot");
    const owner = form === "struct" ? "Wide" : "Orders.Get";
    expect(refused.stderr).toContain(`the 245 fields of \`${owner}\``);
  }
  expect(await run("float64", 125)).toMatchObject({ exitCode: 1 });
});

test("kotlin quotes keywords in the name of its package", async () => {
  const sandbox = createSandbox({
    "orders.ridl":
      "webrpc = v1\nname = orders\nversion = v1.0.0\n\nservice Orders\n  - Get()\n",
    "ridl.config.yaml":
      "schema: [orders.ridl]\nemit: [kotlin: { package: com.example.in.api }]\n",
  });
  expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
  const read = (name: string) => sandbox.read(`generated/kotlin/${name}`);
  const own = "com.example.`in`.api";
  expect(read("Client.kt")).toContain(`package ${own}\n`);
  expect(read("Client.kt")).toContain(`import ${own}.ridl.*\n`);
  expect(read("ridl/Rpc.kt")).toContain(`package ${own}.ridl\n`);
});
