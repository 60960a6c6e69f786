import { expect, test } from "vitest";

import {
  judgeGas,
  judgeReports,
  judgeRollupFee,
} from "../../relaying/evidence/evidence.js";
import type {
  NodeReport,
  ReportedReceipt,
} from "../../relaying/evidence/reports.js";
import { explainFillerLimit } from "../../relaying/filler-budget.js";

const account = "0xa";
const hash = "0x1";
const limits = { gas: 100n, price: 10n, charge: 1000n };
const known = {
  signed: new Map([[account, 7]]),
  transactions: [{ hash, account, nonce: 4, limits }],
  maxRollupFee: 50n,
};

const mined: ReportedReceipt = {
  ...{ hash, blockNumber: 100, blockHash: "0xb", isSuccess: true },
  ...{ gasUsed: 90n, gasPrice: 8n, rollupFee: 5n },
};

function report({
  count = 5,
  isProven = false,
  receipt = null,
  head = 100,
  time = 1000n,
}: {
  readonly count?: number;
  readonly isProven?: boolean;
  readonly receipt?: ReportedReceipt | null;
  readonly head?: number;
  readonly time?: bigint;
} = {}): NodeReport {
  return {
    ...{ head, time, counts: new Map([[account, count]]) },
    proven: new Set(isProven ? [account] : []),
    receipts: new Map(receipt ? [[hash, receipt]] : []),
  };
}

function judge(...reports: readonly (NodeReport | null)[]) {
  const { contradictions, counts, doubts, receipts, ...rest } = judgeReports(
    reports,
    known,
  );
  return {
    ...{ head: rest.head.value, time: rest.time.value },
    isConfirmed: rest.isConfirmed,
    doubt: doubts.get(account) ?? doubts.get(hash) ?? null,
    liars: contradictions.map(({ node }) => node),
    count: counts.get(account)?.value ?? null,
    cost: receipts.get(hash)?.value.cost ?? null,
  };
}

const high = report({ count: 1_000_005 });

test("does not believe a count beyond what was signed, unless a signature proves it", () => {
  expect(judge(high)).toMatchObject({
    count: null,
    doubt:
      "RPC URL 1 reports 1000005 transactions of 0xa, but the platform has signed 7, and no transaction proves the others",
    liars: [0],
  });
  const proven = report({ count: 9, isProven: true });
  expect(judge(proven)).toMatchObject({ count: 9, doubt: null, liars: [] });
});

test("uses the other nodes if one reports a wrong count", () => {
  expect(judge(high, report())).toMatchObject({ count: 5, liars: [0] });
  expect(judge(report(), high, null)).toMatchObject({ count: 5, liars: [1] });
  const low = report({ count: 0 });
  expect(judge(low, report({ count: 6 }), report({ count: 6 })).count).toBe(6);
  // A majority has seen the transactions of another program.
  const other = report({ count: 9 });
  expect(judge(other, report(), other).count).toBe(9);
});

test.each([
  ["price", { gasPrice: 11n }],
  ["gas", { gasUsed: 101n }],
  ["rollup fee", { rollupFee: 51n }],
  ["negative price", { gasPrice: -1n }],
])("does not believe a receipt with an impossible %s", (_, change) => {
  const wrong = report({ receipt: { ...mined, ...change } });
  expect(judge(wrong)).toMatchObject({ cost: null, liars: [0] });
  expect(judge(wrong).doubt).toMatch(/^RPC URL 1 .* more than was signed$/u);
  const right = report({ receipt: mined });
  expect(judge(wrong, right)).toMatchObject({ cost: null, liars: [0] });
  expect(judge(wrong, right, right)).toMatchObject({
    ...{ cost: 725n, doubt: null, liars: [0] },
  });
});

test("distinguishes a node that lags from one that contradicts", () => {
  const right = report({ receipt: mined });
  const cheap = report({ receipt: { ...mined, gasPrice: 1n } });
  const [behind, denying] = [report({ head: 99 }), report({ head: 100 })];
  expect(judge(right)).toMatchObject({ cost: 725n, doubt: null });
  expect(judge(right, right)).toMatchObject({ cost: 725n, doubt: null });
  expect(judge(right, behind)).toMatchObject({
    ...{ cost: null, doubt: "too few nodes have the receipt of 0x1" },
  });
  expect(judge(right, behind, right).cost).toBe(725n);
  expect(judge(right, denying)).toMatchObject({
    ...{ cost: null, liars: [] },
    doubt: "RPC URL 2 has reached block 100 without the receipt of 0x1",
  });
  expect(judge(right, cheap)).toMatchObject({
    ...{ cost: null, liars: [] },
    doubt: "RPC URLs 1 and 2 report different receipts of 0x1",
  });
  expect(judge(right, cheap, right)).toMatchObject({
    ...{ cost: 725n, doubt: null, liars: [1] },
  });
  const forked = report({ receipt: { ...mined, blockHash: "0xc" } });
  expect(judge(right, forked)).toMatchObject({
    ...{ cost: null, liars: [] },
    doubt: "RPC URLs 1 and 2 report different blocks of 0x1",
  });
  expect(judge(right, forked, right)).toMatchObject({
    ...{ cost: 725n, doubt: null, liars: [] },
  });
  expect(judge(denying, right, denying)).toMatchObject({
    ...{ cost: null, doubt: null },
  });
});

test("does not believe that two transactions have used one nonce", () => {
  const transactions = ["0x1", "0x2"].map((each) => ({
    ...{ hash: each, account, nonce: 4, limits },
  }));
  const both = new Map(
    transactions.map((each) => [each.hash, { ...mined, hash: each.hash }]),
  );
  const judgeBoth = (...reports: readonly NodeReport[]) => {
    const found = judgeReports(reports, { ...known, transactions });
    return [[...found.receipts.keys()], [...found.doubts.values()]];
  };
  const lying = { ...report(), receipts: both };
  const [first, second] = [...both].map(([key, receipt]) => ({
    ...{ ...report(), receipts: new Map([[key, receipt]]) },
  }));
  if (!first || !second) throw new Error("a report is missing");
  const doubt =
    "RPC URL 1 reports receipts of several transactions with the nonce 4";
  expect(judgeBoth(lying)).toEqual([[], [doubt, doubt]]);
  expect(judgeBoth(first)).toEqual([["0x1"], []]);
  expect(judgeBoth(first, first)).toEqual([["0x1"], []]);
  expect(judgeBoth(lying, second, second)).toEqual([["0x2"], []]);
  // Both would have a majority, with the help of the node that reports both.
  expect(judgeBoth(lying, first, second)[0]).toEqual([]);
});

test("believes nothing that only a minority of the nodes reports", () => {
  const right = report({ receipt: mined });
  const few = { cost: null, isConfirmed: false };
  expect(judge(right, null)).toMatchObject(few);
  expect(judge(right, null, null)).toMatchObject(few);
  expect(judge(report(), null, null)).toMatchObject({ ...few, doubt: null });
  expect(judge(right, right, null)).toMatchObject({
    ...{ cost: 725n, isConfirmed: true },
  });
});

test("believes the last block and the time that most nodes have reached", () => {
  const future = report({ head: 10_000, time: 9999n });
  expect(judge(future, report())).toMatchObject({ head: 100, time: 1000n });
  expect(judge(future, report(), report({ head: 101 })).head).toBe(101);
});

test("no node decides alone what a rollup has charged", () => {
  const [most, none, extreme] = [5n, 0n, 50n].map((rollupFee) =>
    report({ receipt: { ...mined, rollupFee } }),
  );
  if (!most || !none || !extreme) throw new Error("a report is missing");
  expect(judge(most)).toMatchObject({ cost: 725n, doubt: null });
  expect(judge(most, none, most)).toMatchObject({
    ...{ cost: 725n, doubt: null, liars: [1] },
  });
  expect(judge(extreme, none, none)).toMatchObject({ cost: 720n, liars: [0] });
  const doubt = "RPC URLs 1 and 2 report different receipts of 0x1";
  for (const reports of [
    [most, none, extreme],
    [most, none, null],
    [most, extreme],
    [none, most],
  ]) {
    expect(judge(...reports)).toMatchObject({ cost: null, doubt });
  }
});

test("a rollup charges a fee only if a majority reports one", () => {
  const feeOf = (...fees: readonly (bigint | null)[]) =>
    judgeRollupFee(fees, 100n).value;
  expect(feeOf(7n)).toBe(7n);
  expect(feeOf(100n, 0n)).toBe(0n);
  expect(feeOf(100n, 7n)).toBe(7n);
  expect(feeOf(100n, null)).toBe(0n);
  expect(feeOf(100n, null, null)).toBe(0n);
  expect(feeOf(7n, 8n, 100n)).toBe(8n);
  expect(feeOf(900n, 900n, 0n)).toBe(100n);
});

test("one node cannot claim that a transaction needs too much gas", () => {
  const gasOf = (...estimates: readonly (bigint | null)[]) =>
    judgeGas(estimates)?.value ?? null;
  expect(gasOf(50_000n, 50_001n)).toBe(50_001n);
  expect(gasOf(50_000n, 2n ** 60n)).toBe(50_000n);
  expect(gasOf(2n ** 60n, 50_000n, 50_000n)).toBe(50_000n);
  expect(gasOf(0n, 50_000n, 50_000n)).toBe(50_000n);
  expect(gasOf(0n)).toBe(21_000n);
  expect(gasOf(2n ** 60n)).toBe(null);
  expect(gasOf(50_000n, null)).toBe(null);
  expect(gasOf(50_000n, null, null)).toBe(null);
});

test("a doubt about one account does not concern the others", () => {
  const both = new Map([
    [account, 7],
    ["0xold", 0],
  ]);
  const counts = new Map([
    [account, 5],
    ["0xold", 9],
  ]);
  const found = judgeReports([{ ...report(), counts }], {
    ...known,
    signed: both,
  });
  expect(found.counts.get(account)?.value).toBe(5);
  expect([...found.doubts.keys()]).toEqual(["0xold"]);
});

test("a filler that replaces another one needs no additional nonce", () => {
  const limits = { nonces: 2, cost: 100n };
  const costs = new Map([
    [5, 30n],
    [6, 30n],
  ]);
  const explain = (nonce: number, cost: bigint) =>
    explainFillerLimit(limits, costs, { nonce, cost });
  expect(explain(6, 70n)).toBe(null);
  expect(explain(6, 71n)).toMatch(/must not pay/u);
  expect(explain(7, 1n)).toMatch(/has filled 2 nonces in 24 hours/u);
});
