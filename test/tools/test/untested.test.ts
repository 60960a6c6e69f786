import { expect, onTestFinished, test, vi } from "vitest";
import { printJunit } from "../../../tools/test/print/print-junit.js";
import { emptyNote, printText } from "../../../tools/test/print/print-text.js";
import { failuresOf, hasSucceeded } from "../../../tools/test/report.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { type Bug, serve, testShop } from "./shop.js";
import { brief, project, startShop } from "./start-shop.js";

const notFound = { error: "BookNotFound", code: 1404, msg: "", status: 404 };

const servers: readonly (readonly [string, string, Bug, string])[] = [
  [
    "streams without items",
    "Watch",
    { handlers: { watch: async function* () {} } },
    emptyNote,
  ],
  [
    "empty files",
    "Download",
    { handlers: { download: () => ({ file: new Blob([""]) }) } },
    emptyNote,
  ],
  [
    "a page in place of files",
    "Download",
    {
      wrap: async (request, handle) => {
        const answer = await handle(request);
        const headers = { "content-type": "text/html" };
        return answer.ok ? new Response("<p>Home</p>", { headers }) : answer;
      },
    },
    emptyNote,
  ],
  [
    "errors for all IDs",
    "GetBook",
    {
      wrap: async (request, handle) => {
        const answer = await handle(request);
        return answer.ok ? Response.json(notFound, { status: 404 }) : answer;
      },
    },
    "no valid message succeeded, so no response was checked",
  ],
];

test.each(servers)("%s are no success", async (_, method, bug, reason) => {
  const report = await testShop(await serve(bug), `Shop.${method}`);
  expect(report.methods.some(hasSucceeded)).toBe(false);
  expect(printText(report)).toMatch(
    new RegExp(`^note: (?:${emptyNote}|never succeeded.*): Shop\\.`, "mu"),
  );
  expect(printJunit(report)).toContain(
    `name="valid messages">\n      <skipped message="${reason}"/>`,
  );
});

test("streams with items and downloads are a success", async () => {
  const report = await testShop(await serve(), null, { runs: 5 });
  const { methods } = report;
  for (const name of ["Shop.Download", "Shop.Watch"]) {
    const found = methods.find(({ method }) => method === name);
    expect(found?.items).toBeGreaterThan(0);
  }
  expect(printText(report)).not.toContain(emptyNote);
});

test("names the methods that time did not suffice for", async () => {
  const report = await testShop(await serve(), null, { deadline: -Infinity });
  expect(failuresOf(report)).toEqual([]);
  const text = printText(report);
  expect(text).toContain(
    "note: not all requests were sent in time, and none of these methods: Shop.GetBook, ",
  );
  expect(text).not.toContain("too busy");
});

test("all requests were sent in time if the last one ended after it", async () => {
  let time = 0;
  let sent = 0;
  let last = Infinity;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  onTestFinished(() => void vi.restoreAllMocks());
  const test = async () => {
    const fetch = await serve({
      wrap: (request, handle) => {
        sent += 1;
        if (sent >= last) time = 3e6;
        return handle(request);
      },
    });
    const { methods } = await testShop(fetch, "Shop.GetBook", {
      deadline: 2e6,
      runs: 5,
    });
    return methods.flatMap(({ checks }) => checks);
  };
  const all = await test();
  last = sent;
  sent = 0;
  expect(await test()).toEqual(all);
  expect(all.some(({ isCutShort }) => isCutShort)).toBe(false);
  // Without the last two requests.
  last -= 2;
  sent = 0;
  time = 0;
  const some = await test();
  expect(some.some(({ isCutShort }) => isCutShort)).toBe(true);
});

test("a method without its credential is skipped, which is no success", async () => {
  const sandbox = createSandbox(project);
  const { exitCode, stdout } = await sandbox.run(
    [
      ...["test", await startShop(), "--method", "Shop.MyBooks", ...brief],
      ...["--format", "junit"],
    ],
    { environment: { RIDL_X_KEY: "" } },
  );
  expect(stdout).toContain(
    `name="valid messages">\n      <skipped message="\`X-Key\` was not given"/>`,
  );
  expect(exitCode).toBe(2);
});
