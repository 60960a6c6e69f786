import { randomBytes } from "node:crypto";

import { type Hex, keccak256, stringToHex, zeroAddress, zeroHash } from "viem";

import { KnownContractType } from "../../../generated/types.js";
import {
  KnownLogDataType,
  KnownNotificationType,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";

const eventSig = "Test()";
const topicHash: Hex = keccak256(stringToHex(eventSig));

/**
 * Creates the notification about an event that never happened. Its block and
 * its contract consist of zeros.
 */
export function createTestEvent(): WebhookNotification {
  return {
    uid: `0x${randomBytes(32).toString("hex")}`,
    type: KnownNotificationType.BLOCK_ADDED,
    blockNumber: 0,
    blockHash: zeroHash,
    parentBlockHash: zeroHash,
    contractAddress: zeroAddress,
    contractType: KnownContractType.UNKNOWN,
    txnHash: zeroHash,
    txnIndex: 0,
    txnLogIndex: "0",
    ts: new Date().toISOString(),
    event: { topicHash, eventSig, types: [], names: [], values: [] },
    logDataType: KnownLogDataType.EVENT,
    rawLog: { data: "0x", topics: [topicHash] },
  };
}
