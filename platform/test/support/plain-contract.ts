import {
  type Address,
  createTestClient,
  encodeAbiParameters,
  type Hex,
  http,
  pad,
  size,
  toHex,
} from "viem";

/** The opcodes that return bytes or revert with them. */
const endings = { answers: "f3", refuses: "fd" } as const;

let contracts = 0;

/** Creates an address without a contract, in lowercase. */
export function makeAddress(): Address {
  contracts += 1;
  return pad(toHex(0xc0de_0000 + contracts), { size: 20 });
}

/**
 * Deploys a contract that answers every call with the same bytes or reverts
 * with them. Output: its address in lowercase.
 */
export async function putContract(
  rpcUrl: string,
  what: keyof typeof endings,
  data: Hex,
  address = makeAddress(),
): Promise<Address> {
  const length = toHex(size(data), { size: 2 }).slice(2);
  // PUSH2 length, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN or REVERT
  const code = `61${length}80600c6000396000${endings[what]}` as const;
  const chain = createTestClient({ mode: "anvil", transport: http(rpcUrl) });
  await chain.setCode({ address, bytecode: `0x${code}${data.slice(2)}` });
  return address;
}

/**
 * Deploys a contract that answers every call with the same string, such as a
 * URI.
 */
export function putStringContract(
  rpcUrl: string,
  text: string,
): Promise<Address> {
  const data = encodeAbiParameters([{ type: "string" }], [text]);
  return putContract(rpcUrl, "answers", data);
}
