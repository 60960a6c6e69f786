import {
  concat,
  createPublicClient,
  custom,
  encodeFunctionData,
  hashMessage,
  type Hex,
  keccak256,
  parseSignature,
  recoverAddress,
  serializeErc6492Signature,
  serializeSignature,
  slice,
  toHex,
  zeroAddress,
} from "viem";
import { describe, expect, test } from "vitest";

import {
  InvalidArgumentError,
  UnavailableError,
} from "../../../generated/errors.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { smartWalletFactory } from "../../chain/artifacts/smart-wallet-factory.js";
import { createNetworks } from "../../network/networks.js";
import { findSigner } from "../../services/api/signature.js";
import { openApi } from "../support/open-api.js";
import { openTestChain, silentNetworks } from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const { user, other } = createFixtureAccounts();
const digest = keccak256(toHex("something to sign"));
const otherDigest = keccak256(toHex("something else"));

const database = await openTestDatabase();
const chain = await openTestChain();
const api = await openApi(database, [chain.network, ...silentNetworks]);

const isValid = async (
  walletAddress: string,
  signature: string,
  change: { readonly digest?: string; readonly chainId?: string } = {},
): Promise<boolean> => {
  const answer = await api.isValidSignature({
    chainId: "hardhat",
    walletAddress,
    digest,
    signature,
    ...change,
  });
  return answer.isValid;
};

const sign = (account = user): Promise<Hex> => account.sign({ hash: digest });

/** Appends the data that deploys the wallet. */
const wrap = (signature: Hex): Hex =>
  serializeErc6492Signature({
    address: chain.fixtures.walletFactory,
    data: encodeFunctionData({
      abi: smartWalletFactory.abi,
      functionName: "createWallet",
      args: [user.address, chain.fixtures.futureWalletSalt],
    }),
    signature,
  });

describe("signatures", () => {
  test("accepts the signature of a plain account", async () => {
    const signature = await sign();
    expect(await isValid(user.address, signature)).toBe(true);
    expect(await isValid(user.address.toLowerCase(), signature)).toBe(true);
    const byNumber = { chainId: "31337" };
    expect(await isValid(user.address, signature, byNumber)).toBe(true);
    expect(await isValid(other.address, signature)).toBe(false);
    const changed = { digest: otherDigest };
    expect(await isValid(user.address, signature, changed)).toBe(false);
  });

  test("accepts both forms of the recovery byte, and no other values", async () => {
    const signature = await sign();
    const recoveryByte = Number.parseInt(signature.slice(-2), 16);
    for (const byte of [0, 1, 2, 3, 26, 27, 28, 29, 255]) {
      const changed = concat([
        slice(signature, 0, 64),
        toHex(byte, { size: 1 }),
      ]);
      const isSame = byte === recoveryByte || byte === recoveryByte - 27;
      expect(await isValid(user.address, changed), changed).toBe(isSame);
    }
  });

  test("accepts the signature of a contract wallet", async () => {
    const { wallet } = chain.fixtures;
    expect(await isValid(wallet, await sign())).toBe(true);
    expect(await isValid(wallet, await sign(other))).toBe(false);
    const changed = { digest: otherDigest };
    expect(await isValid(wallet, await sign(), changed)).toBe(false);
  });

  test("accepts the signature of an undeployed wallet without deploying the wallet", async () => {
    const { futureWallet } = chain.fixtures;
    expect(await isValid(futureWallet, wrap(await sign()))).toBe(true);
    expect(await isValid(futureWallet, wrap(await sign(other)))).toBe(false);
    expect(await isValid(futureWallet, await sign())).toBe(false);
    expect(await isValid(other.address, wrap(await sign()))).toBe(false);
  });

  test("requires a signature of the digest itself, not of a message that contains it", async () => {
    const signature = await user.signMessage({ message: { raw: digest } });
    expect(await isValid(user.address, signature)).toBe(false);
    const signed = { digest: hashMessage({ raw: digest }) };
    expect(await isValid(user.address, signature, signed)).toBe(true);
  });

  test("rejects an empty signature for the zero address", async () => {
    const empty = `0x${"00".repeat(64)}1b`;
    expect(await isValid(zeroAddress, empty)).toBe(false);
  });

  test.each(["0x", "0x00", `0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`])(
    "rejects a malformed signature: %s",
    async (signature) => {
      const { wallet, futureWallet, dollar } = chain.fixtures;
      for (const address of [user.address, wallet, futureWallet, dollar]) {
        expect(await isValid(address, signature)).toBe(false);
      }
    },
  );
});

describe("rejects a request with", () => {
  const refused = [
    ["half a byte in the signature", { signature: "0xabc" }],
    ["a signature that is not hex", { signature: "0xxyz" }],
    ["a digest of 31 bytes", { digest: `0x${"11".repeat(31)}` }],
    ["an unknown network", { chainId: "atlantis" }],
    ["an incomplete address", { walletAddress: "0x1234" }],
  ] as const;

  test.each(refused)("%s", async (_, change) => {
    const attempt = api.isValidSignature({
      chainId: "hardhat",
      walletAddress: user.address,
      digest,
      signature: await sign(),
      ...change,
    });
    await expect(attempt).rejects.toBeInstanceOf(InvalidArgumentError);
  });
});

test.each(silentNetworks)(
  "reports Unavailable instead of an invalid signature if the chain does not respond: $handle",
  async ({ handle }) => {
    const { wallet } = chain.fixtures;
    const attempt = isValid(wallet, await sign(), { chainId: handle });
    await expect(attempt).rejects.toBeInstanceOf(UnavailableError);
    const wrong = isValid(other.address, await sign(), { chainId: handle });
    await expect(wrong).rejects.toBeInstanceOf(UnavailableError);
  },
);

test("uses a chain's next URL if the first one is down", async () => {
  const rpcUrls = ["http://127.0.0.1:9", chain.rpcUrl];
  const second = await openApi(database, [{ ...chain.network, rpcUrls }]);
  const walletAddress = chain.fixtures.wallet;
  const question = { chainId: "hardhat", walletAddress, digest };
  for (const [account, isValid] of [
    [user, true],
    [other, false],
  ] as const) {
    const signature = await sign(account);
    const answer = await second.isValidSignature({ ...question, signature });
    expect(answer).toEqual({ isValid });
  }
});

test("rejects a malleated copy of a plain account's signature", async () => {
  const signature = await sign();
  expect(await isValid(user.address, signature)).toBe(true);
  const { r, s, yParity } = parseSignature(signature);
  const order =
    0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const twin = serializeSignature({
    ...{ r, s: toHex(order - BigInt(s), { size: 32 }) },
    yParity: 1 - yParity,
  });
  expect(await recoverAddress({ hash: digest, signature: twin })).toBe(
    user.address,
  );
  expect(await isValid(user.address, twin)).toBe(false);
});

test("does not treat an empty response from a node as a rejection", async () => {
  const transport = custom({ request: () => Promise.resolve("0x") });
  const open = () => createPublicClient({ transport });
  const network = createNetworks([chain.network], open).find("hardhat");
  if (network === null) throw new Error("the network is missing");
  const claim = { network, wallet: other.address, digest };
  const attempt = findSigner({ ...claim, signature: await sign() });
  await expect(attempt).rejects.toBeInstanceOf(UnavailableError);
});
