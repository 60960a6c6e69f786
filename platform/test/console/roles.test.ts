import { expect, test } from "vitest";

import { hashPassword } from "../../console/sign-in/password.js";
import { operatorRoles } from "../../settings/read-settings.js";
import { openTestDatabase } from "../support/test-database.js";
import { contractMethods } from "./contract-methods.js";
import { openConsole } from "./open-console.js";

const database = await openTestDatabase();
const password = "correct horse";
const hash = await hashPassword(password);
const { fetch: fetchConsole, client } = openConsole(database, {
  operators: Object.fromEntries(
    operatorRoles.map((role) => [role, { role, password: hash }]),
  ),
});

/** Signs in as an operator with a role. Output: the session and its headers. */
async function signIn(operator: string) {
  const { session, token } = await client.operators.signIn({
    ...{ operator, password, asToken: true },
  });
  return { session, authorization: `Bearer ${token}` };
}

/** Calls a method with an empty request. Output: the error's name and cause. */
async function call(path: string, authorization: string): Promise<string> {
  const response = await fetchConsole(`http://console.test${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: "{}",
  });
  const body: unknown = await response.json();
  return `${Object(body).error} ${Object(body).cause}`;
}

/** Methods that only read, and those of the operator's own session. */
const harmless = /^(?:Get|List|Sign|EndSessions)/u;

test.each(operatorRoles.filter((role) => role !== "owner"))(
  "%s may read everything and call no method that its session denies",
  async (role) => {
    const { authorization, session } = await signIn(role);
    expect(session).toMatchObject({ operator: role, role });
    const methods = contractMethods.filter(({ name }) => name !== "SignOut");
    for (const { name, path } of methods) {
      const isDenied = session.denied.includes(path.slice("/rpc/".length));
      if (harmless.test(name)) expect(isDenied, path).toBe(false);
      if (name === "SignIn") continue;
      const answer = await call(path, authorization);
      expect(answer.includes("does not permit"), path).toBe(isDenied);
    }
  },
);
