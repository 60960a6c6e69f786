import {
  type Abi,
  type Address,
  encodeDeployData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
} from "viem";

import { swapPools } from "../../chain/artifacts/swap-pools.js";
import { wrappedNative as wrapped } from "../../chain/artifacts/wrapped-native.js";
import { type ChainWallet, deployOnce } from "../../chain/chain-wallet.js";
import type { Fixtures } from "../../chain/fixtures.js";
import { requireArtifact } from "../support/require-artifact.js";

/** Uniswap V3 on a separate chain. */
export interface UniswapV3 {
  /** A `SwapRouter02`. */
  readonly router: Address;
  readonly quoter: Address;
  readonly quoterV2: Address;
}

/**
 * Encodes the deployment of an artifact of Uniswap's packages, which the
 * platform does not ship.
 */
function encodeDeployment(path: string, args: readonly unknown[]): Hex {
  const artifact: { readonly abi: Abi; readonly bytecode: Hex } =
    requireArtifact(`@uniswap/${path}.json`);
  return encodeDeployData({ ...artifact, args });
}

const abi = parseAbi([
  "function enableFeeAmount(uint24 fee, int24 tickSpacing)",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)",
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(Mint params) payable",
]);

/**
 * Deploys Uniswap V3 as its authors compiled it, with pools in all four tiers.
 */
export async function deployUniswapV3(
  wallet: ChainWallet,
  fixtures: Fixtures,
): Promise<UniswapV3> {
  const { dollar, gold, pools, wrappedNative } = fixtures;
  const owner = wallet.account.address;
  // The sender of the transaction owns the factory.
  const { contractAddress: factory } = await wallet.sendTransactionSync({
    data: encodeDeployment(
      "v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory",
      [],
    ),
  });
  if (!factory) throw new Error("the factory is not deployed");
  const deploy = (path: string, args: readonly unknown[]): Promise<Address> =>
    deployOnce(wallet, encodeDeployment(path, args));
  const periphery = "v3-periphery/artifacts/contracts";
  const positions = await deploy(
    `${periphery}/NonfungiblePositionManager.sol/NonfungiblePositionManager`,
    [factory, wrappedNative, owner],
  );
  const ends = [factory, wrappedNative];
  const uniswap = {
    router: await deploy(
      "swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02",
      [owner, factory, positions, wrappedNative],
    ),
    quoter: await deploy(`${periphery}/lens/Quoter.sol/Quoter`, ends),
    quoterV2: await deploy(`${periphery}/lens/QuoterV2.sol/QuoterV2`, ends),
  };
  // Uniswap's governance also enabled this fee.
  await wallet.writeContractSync({
    ...{ address: factory, abi, functionName: "enableFeeAmount" },
    args: [100, 1],
  });
  await wallet.writeContractSync({
    ...{ address: wrappedNative, abi: wrapped.abi, functionName: "deposit" },
    value: parseEther("1000"),
  });
  for (const address of [dollar, gold, wrappedNative]) {
    await wallet.writeContractSync({
      ...{ address, abi: erc20Abi, functionName: "approve" },
      args: [positions, maxUint256],
    });
  }
  const reserveOf = (coin: Address): Promise<bigint> =>
    wallet.readContract({
      ...{ address: pools, abi: swapPools.abi, functionName: "reserveOf" },
      args: [coin, wrappedNative],
    });
  const [dollars, golds] = [await reserveOf(dollar), await reserveOf(gold)];
  const natives = parseEther("1000");
  const add = (...pool: Pool): Promise<void> =>
    addPool(wallet, positions, pool);
  await add([dollar, dollars / 4n], [wrappedNative, natives / 4n], 500, 10);
  await add([dollar, dollars / 50n], [wrappedNative, natives / 50n], 3000, 60);
  await add([gold, golds / 50n], [wrappedNative, natives / 50n], 10_000, 200);
  await add([dollar, dollars / 1000n], [gold, golds / 1000n], 100, 1);
  return uniswap;
}

/** Two currencies with their amounts, the fee, and the tick spacing. */
type Pool = readonly [
  one: readonly [Address, bigint],
  other: readonly [Address, bigint],
  fee: number,
  spacing: number,
];

/**
 * Gas that any `mint` has enough of. An estimate is too low when the next
 * block has another second than the estimate's: only then the pool writes an
 * observation.
 */
const mintGas = 1_500_000n;

/** The last tick of the full price range. */
const lastTick = 887_272;

async function addPool(
  wallet: ChainWallet,
  positions: Address,
  [one, other, fee, spacing]: Pool,
): Promise<void> {
  const [[token0, amount0], [token1, amount1]] =
    one[0].toLowerCase() < other[0].toLowerCase() ? [one, other] : [other, one];
  const price = rootOf((amount1 << 192n) / amount0);
  const write = { address: positions, abi } as const;
  await wallet.writeContractSync({
    ...{ ...write, functionName: "createAndInitializePoolIfNecessary" },
    args: [token0, token1, fee, price],
    throwOnReceiptRevert: true,
  });
  const tick = lastTick - (lastTick % spacing);
  const amounts = { amount0Desired: amount0, amount1Desired: amount1 };
  await wallet.writeContractSync({
    ...{ ...write, functionName: "mint", gas: mintGas },
    args: [
      {
        ...{ token0, token1, fee, tickLower: -tick, tickUpper: tick },
        ...{ ...amounts, amount0Min: 0n, amount1Min: 0n },
        ...{ recipient: wallet.account.address, deadline: maxUint256 },
      },
    ],
    throwOnReceiptRevert: true,
  });
}

/** Returns the integer part of a square root. */
function rootOf(value: bigint): bigint {
  let root = 1n << BigInt(value.toString(2).length);
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
