import {
  type Account,
  type Address,
  type Chain,
  concatHex,
  createWalletClient,
  defineChain,
  getContractAddress,
  type Hex,
  http,
  type HttpTransport,
  type PublicActions,
  publicActions,
  type WalletActions,
  type Client,
  zeroHash,
} from "viem";

/** Reads a chain and sends transactions from one account. */
export type ChainWallet = Client<
  HttpTransport,
  Chain,
  Account,
  undefined,
  PublicActions<HttpTransport, Chain, Account> & WalletActions<Chain, Account>
>;

/** Opens an embedded chain for an account. */
export function openChainWallet(
  rpcUrl: string,
  chainId: number,
  account: Account,
): ChainWallet {
  const chain = defineChain({
    id: chainId,
    name: "embedded chain",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  // Blocks are mined immediately, so poll frequently and cache nothing.
  return createWalletClient({
    account,
    chain,
    transport: http(rpcUrl),
    pollingInterval: 20,
    cacheTime: 0,
  }).extend(publicActions);
}

/**
 * A contract that deploys other contracts. It exists on embedded chains and
 * most others.
 */
export const deployer = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/**
 * Returns the address at which `deployer` deploys a contract.
 *
 * Input: the contract's code, followed by the constructor arguments.
 */
export function addressOfCode(bytecode: Hex): Address {
  return getContractAddress({
    opcode: "CREATE2",
    from: deployer,
    salt: zeroHash,
    bytecode,
  });
}

/**
 * Encodes the data of a transaction that makes `deployer` deploy a contract.
 */
export function encodeDeployment(bytecode: Hex): Hex {
  return concatHex([zeroHash, bytecode]);
}

/**
 * Deploys a contract to an address determined by its code and arguments. Does
 * nothing if the contract is already deployed.
 *
 * Input: the contract's code, followed by the constructor arguments.
 * Errors: any error from viem.
 */
export async function deployOnce(
  wallet: ChainWallet,
  bytecode: Hex,
): Promise<Address> {
  const address = addressOfCode(bytecode);
  if ((await wallet.getCode({ address })) !== undefined) return address;
  await wallet.sendTransactionSync({
    to: deployer,
    data: encodeDeployment(bytecode),
    throwOnReceiptRevert: true,
  });
  return address;
}
