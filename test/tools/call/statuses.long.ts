import { expect, test } from "vitest";
import { createSandbox } from "../../cli/support/sandbox.js";
import { startMock } from "../../cli/support/start-mock.js";
import { desk } from "../../support/desk-contract.js";

const files = {
  "desk.ridl": desk,
  "ridl.config.yaml": "schema: [desk.ridl]\n",
};

const refused = {
  error: "Refused",
  code: 3,
  msg: "Refused",
  status: 402,
  data: { code: "x" },
};

test("ridl call prints outputs of every place, and the data of errors", async () => {
  const report = { id: "7" };
  const { url } = await startMock(["--overrides", "answers"], {
    "shop.ridl": desk,
    "answers/Desk/Create.json": JSON.stringify([
      { request: { name: "none" }, response: {} },
      { error: "Refused", data: { code: "x" }, status: 402 },
    ]),
    "answers/Desk/Put.json": JSON.stringify([
      { request: { name: "201" }, response: { status: 201, report } },
      { error: "NotFound", data: { detail: "gone" } },
    ]),
    "answers/Desk/Draft.json": JSON.stringify({
      ...{ report, location: "/7", tags: ["a", "b"], count: 2 },
    }),
  });
  const call = (...words: readonly string[]) =>
    createSandbox(files).run(["call", ...words, "--check"], {
      environment: { RIDL_URL: url, RIDL_X_KEY: "any" },
    });
  const print = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse((await call(...words, "--format", "json")).stdout);

  expect(await print("Create", "name=none")).toEqual({});
  const put = await print("Put", "id=7", "name=201");
  expect(put).toEqual({ status: 201, report });
  const draft = { report, location: "/7", tags: ["a", "b"], count: 2 };
  expect(await print("Draft", "name=a")).toEqual(draft);
  expect(await print("Create", "name=any")).toEqual(refused);
  expect(await print("Put", "id=7", "name=any")).toMatchObject({
    error: "NotFound",
    data: { code: "NotFound", reason: "not found", detail: "gone" },
  });
  const { exitCode, stderr } = await call("Create", "name=any");
  expect([exitCode, stderr]).toEqual([
    1,
    'error: Refused: Refused\n  = code: 3, HTTP status: 402\n  = data: {"code":"x"}\n',
  ]);
});

test("ridl call prints a curl command that shows outputs in headers", async () => {
  const keep = `  @http:"POST /reports/{id}/keep 202=empty" @responseStatus:status
  - Keep(id: string) => (status: uint16)
`;
  const print = async (...words: readonly string[]): Promise<string> => {
    const args = ["call", ...words, "--curl", "--url", "http://127.0.0.1:1"];
    const sandbox = createSandbox({ ...files, "desk.ridl": desk + keep });
    return (await sandbox.run(args)).stdout;
  };
  expect(await print("Keep", "id=7")).toMatch(/ \\\n {2}--include\n$/u);
  expect(await print("Draft", "name=a")).toMatch(/ \\\n {2}--include\n$/u);
  const saved = await print("Put", "id=7", "name=a", "--output", "put.json");
  expect(saved).toContain("--dump-header -");
  expect(await print("Remove", "id=7")).not.toContain("--include");
});

test("ridl call sends a form with lists of files", async () => {
  const album = `webrpc = v1
name = album
version = v1.0.0

service Album
  @http:"POST /albums" @form:brackets
  - Create(title: string, cover?: file, photos: []file) => (id: uint32)
`;
  const contract = { "shop.ridl": album };
  const { url } = await startMock([], contract);
  const sandbox = createSandbox({
    ...contract,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
    "a.png": "a",
    "b.png": "b",
  });
  const photos = ["photos=@a.png", "photos=@b.png"];
  const words = ["call", "Create", "title=Sea", ...photos, "--check"];
  const environment = { RIDL_URL: url };
  const { exitCode, stderr, stdout } = await sandbox.run(words, {
    environment,
  });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("id");
});
