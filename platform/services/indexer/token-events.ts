import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import {
  KnownLogDataType,
  type LogDataType,
  TokenEvent,
} from "../../../generated/indexer/types.js";
import { type EventSignature, parseEventSignature } from "./event-signature.js";

/** An event of a token standard. */
export interface TokenEventFacts {
  readonly event: EventSignature;
  /** Whether each argument is indexed. */
  readonly indexed: readonly boolean[];
  /**
   * The index of the argument with one or more token IDs, or null if there is
   * none.
   */
  readonly tokenIdIndex: number | null;
  /** The standard that defines the event, or null if more than one does. */
  readonly contractType: ContractType | null;
  readonly logDataType: LogDataType;
}

const { ERC20, ERC721, ERC1155 } = KnownContractType;
const { EVENT, TOKEN_TRANSFER } = KnownLogDataType;

/** All token events with their properties. */
const table: readonly (readonly [
  TokenEvent,
  number | null,
  ContractType | null,
  LogDataType,
])[] = [
  [TokenEvent.ERC20_TRANSFER, null, ERC20, TOKEN_TRANSFER],
  [TokenEvent.ERC20_APPROVAL, null, ERC20, EVENT],
  [TokenEvent.ERC721_TRANSFER, 2, ERC721, TOKEN_TRANSFER],
  [TokenEvent.ERC721_APPROVAL, 2, ERC721, EVENT],
  [TokenEvent.ERC721_APPROVAL_FOR_ALL, null, null, EVENT],
  [TokenEvent.ERC1155_TRANSFER_SINGLE, 3, ERC1155, TOKEN_TRANSFER],
  [TokenEvent.ERC1155_TRANSFER_BATCH, 3, ERC1155, TOKEN_TRANSFER],
  [TokenEvent.ERC1155_URI, 1, ERC1155, EVENT],
];

/**
 * Token events by first topic and number of topics. Events with the same first
 * topic differ in their number of topics.
 */
const known = new Map(
  table.map(([text, tokenIdIndex, contractType, logDataType]) => {
    const event = parseEventSignature(text);
    const indexed = event.indexed ?? [];
    const topicCount = 1 + indexed.filter(Boolean).length;
    const facts: TokenEventFacts = {
      ...{ event, indexed, tokenIdIndex, contractType, logDataType },
    };
    return [keyOf(event.topicHash, topicCount), facts];
  }),
);

/** Returns the token event of a log by its topics, or null. */
export function findTokenEvent(
  topics: readonly string[],
): TokenEventFacts | null {
  return known.get(keyOf(topics[0] ?? "", topics.length)) ?? null;
}

function keyOf(topicHash: string, topicCount: number): string {
  return `${topicHash} ${topicCount}`;
}
