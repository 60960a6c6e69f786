import { expect, it } from "vitest";
import { startMock } from "../cli/support/start-mock.js";
import { desk } from "../support/desk-contract.js";
import { startMcp } from "./start-mcp.js";

it("returns outputs of every place, and errors with their bodies as data", async () => {
  const report = { id: "7" };
  const draft = { report, location: "/7", tags: ["a"], count: 2 };
  const busy = { left: 1, resetAt: 9, scopes: ["a", "b"] };
  const { url } = await startMock(["--overrides", "answers"], {
    "shop.ridl": desk,
    "answers/Desk/Create.json": JSON.stringify([
      { request: { name: "ticket" }, response: { ticket: { position: 1 } } },
      { request: { name: "none" }, response: {} },
      { request: { name: "busy" }, error: "Busy", data: busy },
      { error: "Refused", data: { code: "x" }, status: 402 },
    ]),
    "answers/Desk/Put.json": JSON.stringify([
      { request: { name: "201" }, response: { status: 201, report } },
      { error: "NotFound", data: { detail: "gone" } },
    ]),
    "answers/Desk/Refresh.json": JSON.stringify([
      { error: "Moved", data: { location: "/new" } },
    ]),
    "answers/Desk/Draft.json": JSON.stringify(draft),
  });
  const { client, end } = await startMcp(
    desk,
    url,
    ...["--tools", "search", "--header", "X-Key: any"],
  );
  const call = async (name: string, given: object): Promise<unknown> => {
    const args = { name: `Desk_${name}`, arguments: given };
    return (await client.call("call", args)).text;
  };
  const create = (name: string) => call("Create", { name });
  expect(await create("ticket")).toEqual({ ticket: { position: 1 } });
  expect(await create("none")).toEqual({});
  const put = await call("Put", { id: "7", name: "201" });
  expect(put).toEqual({ status: 201, report });
  expect(await call("Draft", { name: "a" })).toEqual(draft);
  expect(await create("busy")).toMatchObject({
    ...{ error: "Busy", status: 429, data: { ...busy, reason: "busy" } },
  });
  expect(await create("any")).toMatchObject({
    ...{ error: "Refused", status: 402, data: { code: "x" } },
  });
  expect(await call("Put", { id: "7", name: "any" })).toMatchObject({
    error: "NotFound",
    data: { code: "NotFound", reason: "not found", detail: "gone" },
  });
  expect(await call("Refresh", { id: "7" })).toMatchObject({
    ...{ error: "Moved", status: 301, data: { location: "/new" } },
  });
  const described = await client.call("describe", { name: "Desk_Create" });
  expect(described.text).toMatchObject({
    description: expect.stringContaining(
      "Returns `report` with the status 200, or `ticket` with the status 202, or nothing with the status 204.",
    ),
    errors: expect.arrayContaining([
      expect.objectContaining({ name: "Refused", status: "any" }),
    ]),
  });
  await end();
});
