import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { readingVerbs, secretArguments } from "../../console/sign-in/audit.js";
import { openTestDatabase } from "../support/test-database.js";
import { contractMethods as methods } from "./contract-methods.js";
import { openConsole } from "./open-console.js";

const database = await openTestDatabase();
const { fetch: fetchConsole } = openConsole(database);

test("recognizes exactly the methods that the contract marks as reads, which are not logged", () => {
  expect(methods.length).toBeGreaterThan(40);
  expect(methods.filter((each) => each.isReadonly)).toEqual(
    methods.filter(({ name }) => readingVerbs.test(name)),
  );
});

test("knows every argument that the contract marks as sensitive, so that none is logged", () => {
  const folder = "platform/console/schema";
  const schema = readdirSync(folder)
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("\n");
  const types = [
    ...schema.matchAll(
      /^type (\w+):[^\n]*\n(?: {2}[^\n]*\n)*? {2}\+ sensitive = true/gmu,
    ),
  ].map(([, name]) => name);
  expect(types).toContain("Password");
  const secrets = methods.flatMap(({ name, service }) => {
    const [, request = ""] =
      new RegExp(`- ${name}\\((.*?)\\) =>`, "u").exec(schema) ?? [];
    return [...request.matchAll(/(\w+)\??: (\w+)/gu)]
      .filter(([, , type]) => types.includes(type))
      .map(([, argument]) => [`${service}/${name}`, argument]);
  });
  expect(Object.fromEntries(secrets)).toEqual(secretArguments);
});

test.each(methods)(
  "$path rejects calls without a session",
  async ({ path }) => {
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const response = await fetchConsole(`http://console.test${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: "{}",
      });
      const body: unknown = await response.json();
      return `${response.status} ${Object(body).error}`;
    };
    const refused =
      path === "/rpc/Operators/SignIn"
        ? "400 InvalidArgument"
        : "401 Unauthorized";
    expect(await ask({})).toBe(refused);
    expect(await ask({ authorization: "Bearer made-up" })).toBe(refused);
    expect(await ask({ cookie: "console_session=made-up" })).toBe(refused);
  },
);
