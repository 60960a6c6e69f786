import { expect, it } from "vitest";
import { startMcp } from "./start-mcp.js";

const contract = `webrpc = v1
name = shop
version = v1.0.0

error 1 NoPartner "no partner" HTTP 404
error 2 NoRegion  "no region" HTTP 404
error 3 NoOrder   "no order" HTTP 404

service OrdersOfTheWholeCompany
  - ListOrdersOfCustomersOfPartners() => () errors NoPartner
  - ListOrdersOfCustomersOfPartnersOfTheRegion() => () errors NoRegion

service OrdersOfTheWholeCountry
  - ListOrdersOfCustomersOfPartners() => () errors NoOrder
`;

it("describes the errors of methods with long names", async () => {
  const { client, end } = await startMcp(
    contract,
    "http://127.0.0.1:1",
    ...["--tools", "search"],
  );
  const { text } = await client.call("search", { query: "" });
  const names: string[] = Object(text).matches.map(
    ({ name }: { name: string }) => name,
  );
  const described = await Promise.all(
    names.map(async (name) => (await client.call("describe", { name })).text),
  );
  expect(described).toMatchObject([
    { name: names[0], errors: [{ name: "NoPartner" }] },
    { name: names[1], errors: [{ name: "NoRegion" }] },
    { name: names[2], errors: [{ name: "NoOrder" }] },
  ]);
  await end();
});
