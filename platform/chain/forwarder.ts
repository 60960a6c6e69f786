import { type Address, encodeDeployData } from "viem";

import { forwarder } from "./artifacts/forwarder.js";
import { addressOfCode } from "./chain-wallet.js";

/** The forwarder's name, which is part of the data that accounts sign. */
export const forwarderName = "Forwarder";

/** The forwarder's deployment code. */
export const forwarderCode = encodeDeployData({
  ...forwarder,
  args: [forwarderName],
});

/**
 * The forwarder's address. It is derived from the code, so it is the same on
 * all chains.
 */
export const forwarderAddress: Address = addressOfCode(forwarderCode);
