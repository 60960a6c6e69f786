import { expect, test } from "vitest";
import { desk } from "../support/desk-contract.js";
import { createSandbox } from "./support/sandbox.js";
import { startMock } from "./support/start-mock.js";

const withKey = { "x-key": "any" };

test("ridl mock draws statuses, and reads statuses and errors from overrides", async () => {
  const refused = { error: "Refused", data: { code: "x" } };
  const report = { id: "7" };
  const { call, url } = await startMock(["--overrides", "answers"], {
    "shop.ridl": desk,
    "answers/Desk/Create.json": JSON.stringify([
      { request: { name: "ticket" }, response: { ticket: { position: 1 } } },
      { request: { name: "none" }, response: {} },
      { request: { name: "402" }, ...refused, status: 402 },
      { request: { name: "any" }, ...refused },
    ]),
    "answers/Desk/Put.json": JSON.stringify([
      { request: { name: "201" }, response: { status: 201, report } },
    ]),
  });
  const create = (name: string) => call("reports", { name }, withKey);
  const drawn = Array.from({ length: 20 }, async (_, index) =>
    create(`${index}`).then(({ status }) => status),
  );
  expect(new Set(await Promise.all(drawn))).toEqual(new Set([200, 202, 204]));

  const ticket = await create("ticket");
  expect([ticket.status, await ticket.json()]).toEqual([202, { position: 1 }]);
  expect((await create("none")).status).toBe(204);
  const chosen = await create("402");
  expect([chosen.status, chosen.headers.get("x-code")]).toEqual([402, "x"]);
  expect((await create("any")).status).toBe(500);
  const put = await fetch(`${url}/reports/7`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: '{"name":"201"}',
  });
  expect([put.status, await put.json()]).toEqual([201, report]);
});

test("ridl mock fails with errors of any status, and has the errors of a host for other paths", async () => {
  const { call } = await startMock(["--error-rate", "1"], {
    "shop.ridl": desk.replace(
      "errors Busy | Locked | Refused",
      "errors Refused",
    ),
  });
  const create = () => call("reports", { name: "" }, withKey);
  await expect
    .poll(async () => [(await create()).status, (await create()).status])
    .toEqual([expect.not.toBeOneOf([500]), expect.not.toBeOneOf([500])]);
  const unknown = await call("nothing");
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { code: "WebrpcBadRoute", reason: expect.stringContaining("/nothing") },
  ]);
});

test.each([
  [
    { response: { report: { id: "7" }, ticket: { position: 1 } } },
    "its fields fit no status: expected report, or ticket, or nothing",
  ],
  [{ response: {}, status: 204 }, "has `status` without an `error`"],
  [
    { error: "Busy", status: 430 },
    "the error `Busy` always has the status 429",
  ],
  [
    { error: "Refused", status: 304 },
    "the error `Refused` cannot have the status 304",
  ],
])("ridl mock reports the status in the override %j", async (entry, fault) => {
  const sandbox = createSandbox({
    "desk.ridl": desk,
    "answers/Desk/Create.json": JSON.stringify([entry]),
  });
  const { exitCode, stderr } = await sandbox.run([
    ...["mock", "desk.ridl", "--port", "0", "--overrides", "answers"],
  ]);
  expect(stderr).toContain(fault);
  expect(exitCode).toBe(1);
});
