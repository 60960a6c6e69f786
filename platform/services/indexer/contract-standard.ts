import { type Address, erc20Abi, parseAbi } from "viem";

import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";

/** Finds out which standard a contract follows. Errors: `Unavailable`. */
export type FindStandard = (address: Address) => Promise<ContractType>;

const erc165 = parseAbi([
  "function supportsInterface(bytes4 id) view returns (bool)",
]);

/** As the standards themselves number them. */
const interfaces = [
  [KnownContractType.ERC721, "0x80ac58cd"],
  [KnownContractType.ERC1155, "0xd9b67a26"],
] as const;

/** How many contracts are remembered. */
const maxRemembered = 10_000;

/** Asks the chain of a network, once for each contract. */
export function createFindStandard(network: Network): FindStandard {
  const known = new Map<Address, ContractType>();
  return async (address) => {
    const remembered = known.get(address);
    if (remembered !== undefined) return remembered;
    const found = await askForStandard(network, address);
    if (known.size >= maxRemembered) known.clear();
    known.set(address, found);
    return found;
  };
}

async function askForStandard(
  network: Network,
  address: Address,
): Promise<ContractType> {
  for (const [standard, id] of interfaces) {
    const isSuch = await readChain(network, (client) =>
      client.readContract({
        ...{ address, abi: erc165 },
        ...{ functionName: "supportsInterface", args: [id] },
      }),
    );
    if (isSuch === true) return standard;
  }
  const decimals = await readChain(network, (client) =>
    client.readContract({ address, abi: erc20Abi, functionName: "decimals" }),
  );
  return decimals === null
    ? KnownContractType.UNKNOWN
    : KnownContractType.ERC20;
}
