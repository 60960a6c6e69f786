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

test("go warns about methods that its servers do not have", async () => {
  const run = async (target: string) => {
    const sandbox = createSandbox({
      "orders.ridl": contract,
      "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
    });
    return { sandbox, ...(await sandbox.run(["generate"])) };
  };
  const { exitCode, sandbox, stderr } = await run("go");
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "warning[unsupported-route]: Go servers do not have methods",
  );
  expect(stderr).toContain("these are `Orders.Find`, `Orders.Delete`");
  expect(sandbox.has("generated")).toBe(true);
  expect(await run("python")).toMatchObject({ exitCode: 0, stderr: "" });
});

test.each(["idempotencyKey", "idempotencyKey:optional"])(
  "go warns that its servers ignore @%s, and python has no servers",
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
    const { exitCode, stderr } = await sandbox.run(["generate"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      "warning[unsupported-idempotency-key]: Go servers ignore idempotency keys",
    );
    expect(stderr).toContain("these are `Orders.Order`");
    expect(stderr).not.toContain("Python");
    expect(sandbox.has("generated")).toBe(true);
  },
);

test("go warns about errors that its servers do not write", async () => {
  const run = async (target: string, more = "") => {
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

struct Failure
  - message: string
    + error = message

type Failures: Failure
  + errorBody = "application/json"

service Orders
  - Get(id: string) => (name: string)
${more}`,
      "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
    });
    return { sandbox, ...(await sandbox.run(["generate"])) };
  };
  const { exitCode, sandbox, stderr } = await run("go");
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "warning[unsupported-error-body]: Go servers write errors as webrpc's envelope",
  );
  expect(stderr).toContain("the errors of `orders` are `Failure`");
  expect(sandbox.has("generated")).toBe(true);
  expect(await run("python")).toMatchObject({ exitCode: 0, stderr: "" });
  const webhook = "\nservice Webhook\n  @webhook\n  - Notify(id: string)\n";
  const warned = await run("python", webhook);
  expect(warned.exitCode).toBe(0);
  expect(warned.stderr).toContain(
    "warning[unsupported-error-body]: Python receivers of webhooks write errors as webrpc's envelope",
  );
});

test.each([
  ["python", "Python"],
  ["go", "Go"],
])("%s rejects credentials that it cannot send", async (target, language) => {
  const sandbox = createSandbox({
    "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

error 1 Denied "denied" HTTP 401
type Key: string
  + query = api_key
  + error = Denied
type Token: string
  + header = X-Token
  + error = Denied

service Orders
  @auth:"?api_key"
  - Get(id: string) => (name: string)
  @auth:"X-Token|?api_key"
  - Find(id: string) => (name: string)
`,
    "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
  });
  const { exitCode, stderr } = await sandbox.run(["generate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `error[unsupported-credential]: ${language} code has no credentials in the query or in cookies`,
  );
  expect(stderr).toContain("these are `?api_key`");
  const choice = "these are `Orders.Find`";
  expect(stderr.includes(choice)).toBe(target === "go");
  expect(sandbox.has("generated")).toBe(false);
});

test("go warns about data of errors in headers, but no other data", async () => {
  const run = async (target: string, header: string) => {
    const sandbox = createSandbox({
      "orders.ridl": `webrpc = v1
name = orders
version = v1.0.0

struct Limit
  - left?: uint32
${header}
type LimitData: Limit
  + dataOf = LimitReached

error 1429 LimitReached "limit reached" HTTP 429

service Orders
  - Find(id: string) => (name: string) errors LimitReached
`,
      "ridl.config.yaml": `schema: [orders.ridl]\nemit: [${target}]\n`,
    });
    return { sandbox, ...(await sandbox.run(["generate"])) };
  };
  const header = "    + header = X-Left\n";
  const { exitCode, sandbox, stderr } = await run("go", header);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    "warning[unsupported-error-body]: Go servers write all data of errors in the body",
  );
  expect(stderr).toContain("these structs have fields in headers: `Limit`");
  expect(sandbox.has("generated")).toBe(true);
  expect(await run("python", header)).toMatchObject({ exitCode: 0 });
  expect(await run("go", "")).toMatchObject({ exitCode: 0, stderr: "" });
});
