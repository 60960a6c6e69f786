import { createTestClient, http, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";

import { createConsoleHostClient } from "../../console/generated/client.js";
import { startLoaded } from "./load.js";

const tokens = [
  "the operator token until now, long enough",
  "the operator token from now on, long enough",
] as const;

const secrets = {
  OLD_PLATFORM_SECRET: "a secret that all instances have",
  PLATFORM_SECRET: "the secret that replaces the first",
} as const;

/** Returns whether an instance's console accepts an operator token. */
async function acceptsToken(url: string, password: string): Promise<boolean> {
  const { operators } = createConsoleHostClient({ baseUrl: url });
  const { ok } = await operators.signIn.result({ operator: "owner", password });
  return ok;
}

test("replaces the secret, the relaying account and the operator token under load", async () => {
  const cluster = await startLoaded();
  const { chainUrl } = cluster.ready();
  const chain = createTestClient({ mode: "anvil", transport: http(chainUrl) });
  const keys = [generatePrivateKey(), generatePrivateKey()] as const;
  const fund = (key: (typeof keys)[number]): Promise<void> =>
    chain.setBalance({
      ...{ address: privateKeyToAddress(key), value: parseEther("10") },
    });

  // README.md: Replace PLATFORM_SECRET, beside the first relaying account.
  await fund(keys[0]);
  const changes = {
    ...{ RELAY_KEY: keys[0], OPERATOR_TOKEN: tokens[0] },
    PLATFORM_SECRET: secrets.OLD_PLATFORM_SECRET,
    OLD_PLATFORM_SECRET: secrets.PLATFORM_SECRET,
  };
  for (const index of [0, 1]) {
    await cluster.replace(index, changes);
    // The two instances have different settings in between.
    await cluster.goOn();
  }

  // The secret, and at the same time the other procedures: relaying.md, Operation,
  // and README.md, Replace an operator's password.
  await fund(keys[1]);
  const accounts = { RELAY_KEY: keys[1], OLD_RELAY_KEY: keys[0] };
  const last = { ...accounts, ...secrets, OPERATOR_TOKEN: tokens[1] };
  const { adminUrl } = await cluster.replace(0, last);
  expect(await acceptsToken(adminUrl, tokens[0])).toBe(false);
  expect(await acceptsToken(adminUrl, tokens[1])).toBe(true);
  await cluster.goOn();
  await cluster.replace(1, last);
  await cluster.goOn();

  // The last step of each procedure: the old values are removed.
  const { OLD_PLATFORM_SECRET: _, OLD_RELAY_KEY: __, ...rest } = last;
  await cluster.check();
  const { projectId } = cluster.ready();
  for (const index of [0, 1]) {
    await cluster.replace(index, rest);
    await cluster.client().builder.listAudiences({ projectId });
  }

  const senders = await cluster.withDatabase((database) =>
    database
      .selectFrom("relay_transactions")
      .select("account")
      .distinct()
      .execute(),
  );
  expect(senders.map(({ account }) => account)).toEqual(
    expect.arrayContaining(
      keys.map((key) => privateKeyToAddress(key).toLowerCase()),
    ),
  );
});
