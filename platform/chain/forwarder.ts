import { type Address, encodeDeployData } from "viem";

import { forwarder } from "./artifacts/forwarder.js";
import { addressOfCode } from "./chain-wallet.js";

/** The forwarder's name, which is a part of what accounts sign. */
export const forwarderName = "Forwarder";

/** The code that deploys the forwarder. */
export const forwarderCode = encodeDeployData({
  ...forwarder,
  args: [forwarderName],
});

/** The forwarder's address, which follows from its code: the same on all chains. */
export const forwarderAddress: Address = addressOfCode(forwarderCode);
