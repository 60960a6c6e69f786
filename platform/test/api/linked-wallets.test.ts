import { createSiweMessage } from "viem/siwe";
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
const networks = [chain.network, ...silentNetworks];
const api = await openApi(database, networks);

beforeAll(async () => {
  const { wallet } = chain.fixtures;
  const links = [
    { walletAddress: user.address, linkedWalletAddress: wallet, chainId: null },
    {
      walletAddress: user.address,
      linkedWalletAddress: child,
      chainId: null,
      walletType: "passkey",
    },
    { walletAddress: wallet, linkedWalletAddress: child, chainId: 31337 },
    // The address of the wallet contract can belong to a plain account, and the
    // user's address to a contract on another chain.
    { walletAddress: wallet, linkedWalletAddress: user.address, chainId: 1 },
    {
      walletAddress: wallet,
      linkedWalletAddress: other.address,
      chainId: null,
    },
  ].map((link) => ({ walletType: null, ...link }));
  await linkWallets(database, links);
  // Linking them again changes nothing.
  await linkWallets(database, links);
});

/**
 * Queries wallets with an account's signature. The message can differ from the
 * signed one.
 */
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

test("returns the links of a parent that proves its identity, whatever the case of its address", async () => {
  const wallets = await ask(user.address);
  expect(wallets).toEqual(
    [
      { linkedWalletAddress: chain.fixtures.wallet.toLowerCase() },
      { linkedWalletAddress: child.toLowerCase(), walletType: "passkey" },
    ].map((link) => ({
      ...link,
      id: expect.any(Number),
      walletAddress: user.address.toLowerCase(),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/u),
    })),
  );
  expect(await ask(user.address.toLowerCase())).toEqual(wallets);
});

test("accepts a contract as a parent, and an account without links", async () => {
  // A contract can only vouch for its own chain.
  expect(await ask(chain.fixtures.wallet)).toMatchObject([
    { linkedWalletAddress: child.toLowerCase() },
  ]);
  expect(await ask(other.address, other)).toEqual([]);
});

test("rejects queries without the parent's signature of the message", async () => {
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

const signIn = {
  domain: "app.example.com",
  address: user.address,
  uri: "https://app.example.com",
  version: "1",
  chainId: 31337,
  nonce: "12345678",
} as const;

/** Queries wallets with a message that the user has signed. */
const askWith = async (text: string, client = api) =>
  client.getLinkedWallets({
    parentWalletAddress: user.address,
    parentWalletMessage: text,
    parentWalletSignature: await user.signMessage({ message: text }),
    signatureChainId: "hardhat",
  });

test("checks the fields of a message in EIP-4361 format", async () => {
  const later = new Date(Date.now() + 60_000);
  const good = createSiweMessage({ ...signIn, expirationTime: later });
  expect((await askWith(good)).linkedWallets).toHaveLength(2);
  for (const change of [
    { expirationTime: new Date(Date.now() - 1000) },
    { notBefore: later },
    { address: other.address },
    { chainId: 1 },
  ]) {
    const text = createSiweMessage({ ...signIn, ...change });
    await expect(askWith(text)).rejects.toBeInstanceOf(PermissionDeniedError);
  }
});

test("rejects other messages if the settings require EIP-4361", async () => {
  const strict = await openApi(database, networks, {
    requireSignInMessages: true,
  });
  const good = createSiweMessage(signIn);
  expect((await askWith(good, strict)).linkedWallets).toHaveLength(2);
  const attempt = askWith(message, strict);
  await expect(attempt).rejects.toBeInstanceOf(PermissionDeniedError);
});

test("reports Unavailable if it cannot reach the chain to verify a signature", async () => {
  const { wallet } = chain.fixtures;
  const signatureChainId = "unreachable";
  const attempt = ask(wallet, user, { signatureChainId });
  await expect(attempt).rejects.toBeInstanceOf(UnavailableError);
});

test("reports a malformed signature without echoing it", async () => {
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
