import { type Hash, type Hex, numberToHex, type PublicClient } from "viem";

/** The immutable properties of a block. */
export interface BlockHeader {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly minedAt: Date;
}

/** A block as a node reports it. */
export interface ReportedBlock extends BlockHeader {
  /** The Bloom filter of the block's logs, or `0x` if the node reports none. */
  readonly logsBloom: Hex;
}

/** Returns the time of a block in seconds, as contracts see it. */
export function timeOf({ minedAt }: BlockHeader): bigint {
  return BigInt(minedAt.getTime() / 1000);
}

/**
 * Reads the last block of the chain. Errors: any error from viem; Error if the
 * chain has no last block.
 */
export async function readHead(client: PublicClient): Promise<ReportedBlock> {
  const header = await readHeader(client, "latest");
  if (header === null) throw new Error("the chain has no last block");
  return header;
}

/**
 * Reads a block by number, or null if there is none. Errors: any error from
 * viem.
 */
export async function readHeader(
  client: PublicClient,
  number: number | "latest",
): Promise<ReportedBlock | null> {
  const block = await client.request({
    method: "eth_getBlockByNumber",
    params: [number === "latest" ? number : numberToHex(number), false],
  });
  if (block === null || block.hash === null || block.number === null) {
    return null;
  }
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    minedAt: new Date(Number(block.timestamp) * 1000),
    logsBloom: block.logsBloom ?? "0x",
  };
}
