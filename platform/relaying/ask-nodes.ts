import {
  getAddress,
  type Hash,
  numberToHex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

import { readHead, readHeader, timeOf } from "../network/block-header.js";
import type { Network } from "../network/networks.js";
import { askAll } from "./evidence/ask-all.js";
import {
  judgeReports,
  maxGas,
  type MinedTransaction,
  type NodeReport,
  type ReportedReceipt,
  type SignedLimits,
} from "./evidence/evidence.js";
import {
  type Findings,
  nonceKey,
  type NodeView,
  type Step,
} from "./next-step.js";
import { limitOf } from "./evidence/price.js";
import { findUser } from "./evidence/prove-nonce.js";
import { rollupFeeOf } from "./evidence/rollup-fees.js";
import { limitsOf, type StoredRelay } from "./stored-relay.js";

type Question = Extract<Step, { readonly kind: "ask" }>;

/** What the nodes of a network are asked about. */
interface Subject {
  /** One more than the highest nonce that each account has signed. */
  readonly signed: ReadonlyMap<string, number>;
  readonly transactions: readonly {
    readonly hash: Hash;
    readonly limits: SignedLimits;
  }[];
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
        hash: each.hash,
        limits: limitsOf(each, row),
      }));
      return { report: await readReport(network, { signed, transactions }) };
    }
    case "bookedBlock": {
      const block = await network.client().request({
        method: "eth_getBlockByNumber",
        params: [numberToHex(row.block_number ?? 0), false],
      });
      return {
        bookedBlock: block && block.transactions.map((each) => String(each)),
      };
    }
    case "users": {
      const users = new Map<string, MinedTransaction>();
      for (const about of question.about) {
        // A transaction with the account's signature needs no second witness.
        const shown = await askAll(network.nodes(), (node) =>
          findUser(node, network.chainId, about),
        );
        const user = shown.find((each) => each !== null);
        if (user) users.set(nonceKey(about), user);
      }
      return { users };
    }
    case "views": {
      const views = network
        .nodes()
        .map((node) => readView(node, question.blockNumbers).catch(() => null));
      return { views: await Promise.all(views) };
    }
  }
}

/**
 * Reads the accounts and transactions of a network from all of its nodes.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readReport(network: Network, subject: Subject) {
  const nodes = network.nodes();
  const found = await askAll(nodes, (node) => readNode(node, subject));
  const reports = await proveCounts(network, found, subject);
  const maxRollupFee = limitOf(network) * maxGas;
  return judgeReports(reports, { ...subject, maxRollupFee });
}

async function readNode(
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
  const head = await readHead(node);
  return {
    ...{ head: head.number, time: timeOf(head), counts },
    ...{ proven: new Set(), receipts: new Map(receipts) },
  };
}

/** Looks for the transactions that prove counts beyond what was signed. */
function proveCounts(
  network: Network,
  reports: readonly (NodeReport | null)[],
  { signed }: Subject,
): Promise<readonly (NodeReport | null)[]> {
  const nodes = network.nodes();
  return Promise.all(
    reports.map(async (report, index) => {
      const node = nodes[index];
      if (report === null || node === undefined) return report;
      const proven = new Set<string>();
      for (const [account, count] of report.counts) {
        if (count <= (signed.get(account) ?? 0)) continue;
        const nonce = count - 1;
        const user = await findUser(node, network.chainId, { account, nonce });
        if (user !== null) proven.add(account);
      }
      return { ...report, proven };
    }),
  );
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
