import {
  getAddress,
  type Hash,
  numberToHex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

import { askAll } from "../network/agreement/ask-all.js";
import { readHead, readHeader, timeOf } from "../network/block-header.js";
import type { Network } from "../network/networks.js";
import type { BlockView, NodeView } from "./evidence/blocks.js";
import { judgeReports, type Report } from "./evidence/evidence.js";
import type {
  Known,
  MinedTransaction,
  NodeReport,
  ReportedReceipt,
  SignedTransaction,
} from "./evidence/reports.js";
import { maxRollupFeeOf, rollupFeeOf } from "./evidence/rollup-fees.js";
import { type Findings, nonceKey, type Step } from "./next-step.js";
import { findUser } from "./evidence/prove-nonce.js";
import { limitsOf, type StoredRelay } from "./stored-relay.js";

type Question = Extract<Step, { readonly kind: "ask" }>;

/** What the nodes of a network are asked about. */
interface Subject {
  /** One more than the highest nonce that each account has signed. */
  readonly signed: ReadonlyMap<string, number>;
  readonly transactions: readonly (SignedTransaction & {
    readonly hash: Hash;
  })[];
}

/**
 * Asks a network's nodes about a relay.
 *
 * Input: one more than the highest nonce that each account has signed.
 * Errors: any error from viem.
 */
export async function askNodes(
  network: Network,
  { row, transactions: rows }: StoredRelay,
  question: Question,
  signed: ReadonlyMap<string, number>,
): Promise<Partial<Findings>> {
  switch (question.question) {
    case "report": {
      const transactions = rows.map((each) => ({
        ...{ hash: each.hash, account: each.account },
        ...{ nonce: each.account_nonce, limits: limitsOf(each, row) },
      }));
      return { report: await readReport(network, { signed, transactions }) };
    }
    case "bookedBlock": {
      const number = row.block_number ?? 0;
      const bookedBlock = await askAll(network.nodes(), (node) =>
        readBlock(node, number),
      );
      return { bookedBlock };
    }
    case "users": {
      const users = new Map<string, MinedTransaction>();
      for (const about of question.about) {
        const user = await readUser(network, about);
        if (user) users.set(nonceKey(about), user);
      }
      return { users };
    }
    case "views": {
      const { blockNumbers } = question;
      const views = await askAll(network.nodes(), (node) =>
        readView(node, blockNumbers),
      );
      return { views };
    }
  }
}

/**
 * Finds the transaction that used a nonce. Its signature needs no second witness.
 * Returns null if no node shows it.
 */
export async function readUser(
  network: Network,
  about: { readonly account: string; readonly nonce: number },
): Promise<MinedTransaction | null> {
  const shown = await askAll(
    network.nodes(),
    (node) => findUser(node, network.chainId, about),
    (found) => found.some((each) => each !== null),
  );
  return shown.find((each) => each !== null) ?? null;
}

/**
 * Reads the accounts and transactions of a network from all of its nodes.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readReport(
  network: Network,
  subject: Subject,
): Promise<Report> {
  const known = { ...subject, maxRollupFee: maxRollupFeeOf(network) };
  const found = await askAll(
    network.nodes(),
    (node) => readNode(network, node, subject),
    (reports) => isClear(reports, known),
  );
  return judgeReports(found, known);
}

/** Returns whether slower nodes cannot dispel a doubt. */
function isClear(
  reports: readonly (NodeReport | null)[],
  known: Known,
): boolean {
  return judgeReports(reports, known).doubts.size === 0;
}

/** Reads the transactions of a block, or null if the node does not have it. */
async function readBlock(
  node: PublicClient,
  number: number,
): Promise<BlockView> {
  const block = await node.request({
    method: "eth_getBlockByNumber",
    params: [numberToHex(number), false],
  });
  // A last block from before the question could precede a block that exists.
  const { number: head } = await readHead(node);
  const transactions = block && block.transactions.map((each) => String(each));
  return { head, transactions };
}

async function readNode(
  { chainId }: Pick<Network, "chainId">,
  node: PublicClient,
  { signed, transactions }: Subject,
): Promise<NodeReport> {
  // A transaction can be mined between two questions. A count from before the
  // receipt only makes a mined transaction look unmined, and a last block from
  // after it cannot precede it.
  const counts = new Map(
    await Promise.all(
      [...signed.keys()].map(async (account) => {
        const address = getAddress(account);
        const count = await node.getTransactionCount({ address });
        return [account, count] as const;
      }),
    ),
  );
  const read = transactions.map(({ hash }) => readReceipt(node, hash));
  const receipts = (await Promise.all(read)).flatMap((receipt) =>
    receipt === null ? [] : [[receipt.hash, receipt] as const],
  );
  const proven = await proveCounts(node, chainId, counts, signed);
  const head = await readHead(node);
  return {
    ...{ head: head.number, time: timeOf(head), counts },
    ...{ proven, receipts: new Map(receipts) },
  };
}

/**
 * Looks for the transactions that prove counts beyond what was signed. Returns
 * the accounts whose counts are proven.
 */
async function proveCounts(
  node: PublicClient,
  chainId: number,
  counts: ReadonlyMap<string, number>,
  signed: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  const proven = new Set<string>();
  for (const [account, count] of counts) {
    if (count <= (signed.get(account) ?? 0)) continue;
    const about = { account, nonce: count - 1 };
    if ((await findUser(node, chainId, about)) !== null) proven.add(account);
  }
  return proven;
}

/** Reads the receipt of a transaction, or null if the node has none. */
async function readReceipt(
  node: PublicClient,
  hash: Hash,
): Promise<ReportedReceipt | null> {
  try {
    return toReported(await node.getTransactionReceipt({ hash }));
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

function toReported(receipt: TransactionReceipt): ReportedReceipt {
  const { blockHash, blockNumber, effectiveGasPrice, gasUsed } = receipt;
  return {
    hash: receipt.transactionHash,
    blockNumber: Number(blockNumber),
    blockHash,
    isSuccess: receipt.status === "success",
    gasUsed,
    gasPrice: effectiveGasPrice,
    rollupFee: rollupFeeOf(receipt),
  };
}

async function readView(
  node: PublicClient,
  numbers: readonly number[],
): Promise<NodeView> {
  const hashes = new Map<number, string>();
  for (const number of numbers) {
    const header = await readHeader(node, number);
    if (header !== null) hashes.set(number, header.hash);
  }
  const { number: head } = await readHead(node);
  return { head, hashes };
}
