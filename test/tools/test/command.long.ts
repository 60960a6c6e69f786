import { expect, test } from "vitest";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import type { Bug } from "./shop.js";
import { brief, project, startShop } from "./start-shop.js";

test("tests only read methods by default", async () => {
  const sandbox = createSandbox(project);
  const url = await startShop();
  const read = await sandbox.run(["test", url, ...brief]);
  expect(read.stderr).toBe("");
  expect(read).toMatchObject({ exitCode: 0 });
  expect(read.stdout).toContain(
    "note: not called, because each may change data: Shop.AddBook, Shop.Upload; `--writes` includes them",
  );
  expect(read.stdout).toContain(
    "`X-Key` was not given, so only rejections were tested for these methods: Shop.MyBooks;",
  );
  expect(read.stdout).toMatch(
    /^6 methods, \d+ requests, 0 failures, seed 1$/mu,
  );
  const written = await sandbox.run(
    ["test", url, "--writes", "--method", "Shop.*Book*", ...brief],
    { environment: { RIDL_X_KEY: "good" } },
  );
  expect(written.stdout).toMatch(/^4 methods, \d+ requests, 0 failures, /u);
});

const rounded: Bug = {
  contract: (ridl) => ridl.replace("maxLength = 20", "maxLength = 21"),
};

test("prints a failure with the command that reproduces it", async () => {
  const sandbox = createSandbox(project);
  const url = await startShop(rounded);
  const flags = [
    "--method",
    "Shop.Echo",
    "--header",
    "X-Key: secret",
    "--ignore",
    "@auth",
    "--timeout",
    "20",
    ...brief,
  ];
  const { exitCode, stdout } = await sandbox.run(["test", url, ...flags]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`Shop.Echo, limits: \`book.title\` of length 21
  expected: 400 InvalidArgument (book.title: expected a string of at most 20 characters, got "aaaaaaaaaaaaaaaaaaaaa")
  received: 200 {`);
  expect(stdout).toContain(`    curl '${url}/rpc/Shop/Echo' \\
      -H "x-key: $RIDL_X_KEY" \\
      -H 'content-type: application/json' \\
      --data-raw '{"book":`);
  expect(stdout).not.toContain("secret");
  expect(stdout).toContain(" --timeout 20 --max-time 1000 --ignore @auth ");
  const again = /repeat: ridl (test .*)$/mu.exec(stdout)?.[1] ?? "";
  const args = again.replaceAll('"', "").replace("X-Key: ", "X-Key:");
  const repeated = await sandbox.run(args.split(" "));
  expect(repeated.stdout).toContain("`book.title` of length 21");
});

test("reports results as JSON and JUnit", async () => {
  const sandbox = createSandbox(project);
  const url = await startShop(rounded);
  const flags = ["--method", "Shop.Echo", ...brief];
  const json = await sandbox.run(["test", url, "--format", "json", ...flags]);
  expect(json.exitCode).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    failures: 1,
    seed: 1,
    methods: [
      {
        method: "Shop.Echo",
        answers: { success: expect.any(Number) },
        checks: [
          { name: "valid messages", requests: 2, failures: [] },
          { name: "limits", failures: [{ kind: "accepted" }] },
          { name: "odd requests", failures: [] },
          { name: "malformed bodies" },
          { name: "content types" },
          { name: "routes and verbs" },
        ],
      },
    ],
  });
  const junit = await sandbox.run(["test", url, "--format", "junit", ...flags]);
  expect(junit.stdout).toContain(
    `<testsuite name="Shop.Echo" tests="6" failures="1">
    <properties><property name="seed" value="1"/></properties>`,
  );
  expect(junit.stdout).toContain(
    '<testcase classname="Shop.Echo" name="valid messages"/>',
  );
  expect(junit.stdout).toContain(
    '<failure type="accepted" message="Shop.Echo, limits: `book.title` of length 21">expected: 400 InvalidArgument (book.title: expected a string of at most 20 characters, got &quot;',
  );
});

test("reports that the time limit was too short", async () => {
  const sandbox = createSandbox(project);
  const args = ["test", await startShop(), "--max-time", "0.000001"];
  const { stdout } = await sandbox.run(args);
  expect(stdout).toContain("note: not all requests were sent in time");
  expect(stdout).toContain(" methods, 0 requests, 0 failures, ");
});

test("removes generated code before it calls the server", async () => {
  let folders = 0;
  const counts = new Set<number>();
  const url = await startShop({
    wrap: (request, handle) => {
      if (request.url.includes("/rpc/")) counts.add(folders);
      return handle(request);
    },
  });
  const { removeFolder } = createNodeSystem();
  const sandbox = createSandbox(project);
  await sandbox.run(["test", url, "--method", "Shop.GetBook", ...brief], {
    patch: () => ({
      removeFolder: (path) => {
        folders += 1;
        removeFolder(path);
      },
    }),
  });
  expect([...counts]).toEqual([1]);
});
