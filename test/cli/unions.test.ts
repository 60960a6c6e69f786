import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";

const contract = `webrpc = v1
name = shop
version = v1.0.0

struct Paid
  - kind: string
    + enum = paid

struct Sent
  - kind: string
    + enum = sent

type Event: any
  + oneOf = Paid|Sent
  + tag = kind

type Parcels: []Sent

struct Intent
  - code: string
  - data: any
    + oneOf = "paid:Paid | sent,lost:Parcels"
    + tag = code
    + go.tag.db = data

struct Payee
  - card?: string
    + choice = method
  - iban?: string
    + choice = method

service Shop
  - Record(event: Event) => (intent: Intent, payee: Payee)
`;

const files = {
  "shop.ridl": contract,
  "ridl.config.yaml": "schema: [shop.ridl]\nemit: [defaults, compat]\n",
};

test("formatting and exporting RIDL keep unions as written", async () => {
  const sandbox = createSandbox(files);
  const formatted = await sandbox.run(["fmt", "--check"]);
  expect(formatted).toMatchObject({ exitCode: 0, stderr: "" });
  const { stdout } = await sandbox.run(["export", "--format", "ridl"]);
  expect(stdout).toBe(contract);
});

test("the JSON form means the same unions", async () => {
  const sandbox = createSandbox(files);
  const exported = await sandbox.run(["export", "--format", "json"]);
  expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
  const copy = createSandbox({ "shop.json": exported.stdout });
  await sandbox.run(["generate"]);
  const generated = await copy.run(["generate", "shop.json"]);
  expect(generated).toMatchObject({ exitCode: 0, stderr: "" });
  const declared = (types = ""): readonly string[] =>
    types.split("\n\n").slice(1).sort();
  const [own, other] = [sandbox, copy].map((each) =>
    declared(each.snapshot("generated")["types.ts"]),
  );
  expect(own?.join()).toContain("export type Event = Paid | Sent;");
  expect(other).toEqual(own);
});

test("webrpc's generators get `any` for an inlined union", async () => {
  const sandbox = createSandbox(files);
  const { stdout } = await sandbox.run([
    ...["export", "--format", "json", "--inline-aliases"],
  ]);
  const { services, types } = JSON.parse(stdout);
  expect(services[0].methods[0].inputs[0].type).toBe("any");
  expect(types.map(({ name }: { name: string }) => name)).not.toContain(
    "Event",
  );
  // Variants can be aliases, which are no longer declared.
  expect(JSON.stringify(types)).toContain(
    '{"name":"data","type":"any","meta":[{"go.tag.db":"data"}]}',
  );
  sandbox.write({ "inlined.json": stdout });
  expect(await sandbox.run(["check", "inlined.json"])).toMatchObject({
    exitCode: 0,
  });
});

test("the client with webrpc's names has the types of unions", async () => {
  const sandbox = createSandbox(files);
  await sandbox.run(["generate"]);
  const generated = sandbox.snapshot("generated");
  expect(generated["webrpc.ts"]).toContain("RecordRequest");
  expect(generated["types.ts"]).toContain(
    "(PayeeCard & { iban?: never }) | (PayeeIban & { card?: never })",
  );
});
