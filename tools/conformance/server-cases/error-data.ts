import type { Answer, ServerCase } from "./case.js";
import { where } from "./case.js";

/** As much as every form of generated code can represent. */
const quota =
  '{"limit":9007199254740991,"used":"12345678901234567890","resetAt":"2030-01-02T03:04:05.678Z","token":"AQID"}';
const exactQuota = quota.replace("9007199254740991", "18446744073709551615");
const leastQuota = quota.replace(',"token":"AQID"', "");

const envelope =
  '"error":"QuotaReached","code":1429,"msg":"Quota reached","status":429';
const conflict = '"error":"Conflict","code":1409,"msg":"Conflict","status":409';
const fault =
  '"error":"WebrpcBadResponse","code":-5,"msg":"bad response","status":500';

type Row = readonly [
  title: string,
  how: string,
  data: string,
  status: number,
  /** The members of the envelope. */
  members: string,
];

/** Errors without data, which every language can send. */
const without: readonly Row[] = [
  ["no data", "missing", quota, 429, envelope],
  ["data of an error that declares none", "undeclared", quota, 409, conflict],
];

/** Errors with data. */
const present: readonly Row[] = [
  ["data", "data", quota, 429, `${envelope},"data":${quota}`],
  [
    "data without optional fields",
    "data",
    leastQuota,
    429,
    `${envelope},"data":${leastQuota}`,
  ],
  [
    "data after a cause",
    "cause",
    quota,
    429,
    `${envelope},"cause":"because","data":${quota}`,
  ],
  [
    "data with an undeclared field",
    "extra",
    quota,
    429,
    `${envelope},"data":${quota}`,
  ],
  ["data with an invalid sensitive field", "invalid", quota, 500, fault],
  ["data with a negative unsigned integer", "negative", quota, 500, fault],
];

const exact: Row = [
  "data with a 64-bit integer",
  "data",
  exactQuota,
  429,
  `${envelope},"data":${exactQuota}`,
];

const isExact = { int64: "bigint", timestamp: "date" } as const;

/** Errors with data, from methods and in the last line of streams. */
export const errorData: readonly ServerCase[] = [
  ...without.flatMap((row) => casesOf(row)),
  ...needData(present.flatMap(casesOf)),
  ...where(isExact, needData(casesOf(exact))),
];

function needData(cases: readonly ServerCase[]): ServerCase[] {
  return cases.map((given) => ({ ...given, needs: ["data of errors"] }));
}

function casesOf([title, how, data, status, members]: Row): ServerCase[] {
  const body = `{"how":"${how}","data":${data}}`;
  const answer: Answer = { status, text: `{${members}}` };
  const lines = `\n{"n":1}\n{"webrpcError":{${members}}}\n`;
  return [
    {
      name: `error data: ${title}`,
      path: "/rpc/Faults/FailWith",
      body,
      answer,
    },
    {
      name: `error data: ${title} in a stream`,
      path: "/rpc/Lines/End",
      body,
      answer: { status: 200, text: lines },
    },
  ];
}
