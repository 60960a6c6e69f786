import { beforeAll, expect, test } from "vitest";

import type { APIClient } from "../../../generated/api/client.js";
import {
  InvalidArgumentError,
  PermissionDeniedError,
  UnavailableError,
} from "../../../generated/errors.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { linkWallets } from "../../services/api/link-wallets.js";
import { openApi } from "../support/open-api.js";
import { openTestChain, silentNetworks } from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const { user, other } = createFixtureAccounts();
const message = "These wallets are mine.";
const child = "0xABCDEF0123456789abcdef0123456789ABCDEF01";

const database = await openTestDatabase();
const chain = await openTestChain();
const api = await openApi(database, [chain.network, ...silentNetworks]);

beforeAll(async () => {
  const { wallet } = chain.fixtures;
  const links = [
    { walletAddress: user.address, linkedWalletAddress: wallet },
    { walletAddress: user.address, linkedWalletAddress: child },
    { walletAddress: wallet, linkedWalletAddress: child },
  ].map((link) => ({ ...link, walletType: null }));
  await linkWallets(database, links);
  // Once more: they are linked already.
  await linkWallets(database, links);
});

/** Asks with the signature of an account, and a message that may differ. */
const ask = async (
  parentWalletAddress: string,
  signer = user,
  change: Partial<Parameters<APIClient["getLinkedWallets"]>[0]> = {},
) => {
  const { linkedWallets } = await api.getLinkedWallets({
    parentWalletAddress,
    parentWalletMessage: message,
    parentWalletSignature: await signer.signMessage({ message }),
    signatureChainId: "31337",
    ...change,
  });
  return linkedWallets;
};

test("a parent that proves itself gets its own links, in any case", async () => {
  const wallets = await ask(user.address);
  expect(wallets).toEqual(
    [chain.fixtures.wallet, child].map((linkedWalletAddress) => ({
      id: expect.any(Number),
      walletAddress: user.address.toLowerCase(),
      linkedWalletAddress: linkedWalletAddress.toLowerCase(),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/u),
    })),
  );
  expect(await ask(user.address.toLowerCase())).toEqual(wallets);
});

test("a parent may be a contract, and may have no links", async () => {
  expect(await ask(chain.fixtures.wallet)).toHaveLength(1);
  expect(await ask(other.address, other)).toEqual([]);
});

test("nobody gets the links of others", async () => {
  const attempts = [
    ask(user.address, other),
    ask(chain.fixtures.wallet, other),
    ask(user.address, user, { parentWalletMessage: "Something else." }),
    ask(user.address, user, { parentWalletSignature: "0x" }),
  ];
  await Promise.all(
    attempts.map((attempt) =>
      expect(attempt).rejects.toBeInstanceOf(PermissionDeniedError),
    ),
  );
});

test("what cannot be verified is neither proved nor refused", async () => {
  const { wallet } = chain.fixtures;
  const signatureChainId = "unreachable";
  const attempt = ask(wallet, user, { signatureChainId });
  await expect(attempt).rejects.toBeInstanceOf(UnavailableError);
});

test("a malformed signature is named, and not repeated", async () => {
  const parentWalletSignature = `${await user.signMessage({ message })}f`;
  const failure = await ask(user.address, user, {
    parentWalletSignature,
  }).catch((reason: unknown) => reason);
  expect(failure).toBeInstanceOf(InvalidArgumentError);
  expect(failure).toMatchObject({
    cause: expect.stringMatching(/^parentWalletSignature: /u),
  });
  expect(JSON.stringify(failure)).not.toContain(parentWalletSignature);
});
