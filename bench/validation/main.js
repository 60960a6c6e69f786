// Parses and validates requests in this process: `node validation/main.js`.
import { createGoals, printGoals } from "../harness/goals.js";
import { describeMachine } from "../harness/machine.js";
import { endWith, isQuick } from "../harness/report.js";
import { runRounds } from "../harness/rounds.js";
import { median, ratio, spread } from "../harness/statistics.js";
import { ordersRequest, priceRequest } from "../server/contract/messages.js";
import { generate } from "../server/generate.js";
import { baseline, createSubjects, ownSubject, rivals } from "./subjects.js";

const rounds = isQuick ? 2 : 15;
/** Approximate duration of one round for one subject, in milliseconds. */
const ms = isQuick ? 5 : 40;
const goals = createGoals();

const orders = ordersRequest(10);
const cells = [
  { name: "small", message: "GetPriceRequest", value: priceRequest },
  { name: "10 items", message: "GetOrdersRequest", value: orders },
  {
    name: "1,000 items",
    message: "GetOrdersRequest",
    value: ordersRequest(1_000),
  },
  { name: "small, types only", message: "GetPriceTypes", value: priceRequest },
  { name: "10 items, types only", message: "GetOrdersTypes", value: orders },
  {
    name: "1,000 items, types only",
    message: "GetOrdersTypes",
    value: ordersRequest(1_000),
  },
  {
    name: "small, an invalid field",
    message: "GetPriceRequest",
    value: { ...priceRequest, tokenId: "-1" },
    wrong: "tokenId",
  },
  {
    name: "10 items, an invalid field in the last one",
    message: "GetOrdersRequest",
    value: {
      input: [...orders.input.slice(0, 9), { ...orders.input[9], orderId: "" }],
    },
    wrong: "orderId",
  },
];

const filled = Array.from({ length: 10 }, (_, index) => ({
  kind: "filled",
  orderId: `order-${index}`,
  taker: priceRequest.contractAddress,
  quantity: index + 1,
}));

const [order] = orders.input;
const priceWith = (fields) => ({ ...priceRequest, ...fields });
const ordersWith = (fields) => ({ input: [{ ...order, ...fields }] });
const eventWith = (fields) => ({ events: [{ ...filled[0], ...fields }] });

/**
 * Messages that every subject must reject, with the name of the wrong field.
 */
const invalidTypes = {
  GetPriceTypes: [
    ["contractAddress", priceWith({ contractAddress: undefined })],
    ["tokenId", priceWith({ tokenId: 7 })],
  ],
  GetOrdersTypes: [
    ["input", { input: null }],
    ["orderId", ordersWith({ orderId: null })],
    ["marketplace", ordersWith({ marketplace: 1 })],
  ],
  RecordFilledRequest: [["taker", eventWith({ taker: 1 })]],
  RecordRequest: [
    ["taker", eventWith({ taker: 1 })],
    ["kind", eventWith({ kind: "filed" })],
    ["events", eventWith({ kind: undefined })],
    ["price", eventWith({ kind: "created", createdBy: "" })],
  ],
};
const invalidValues = {
  ...invalidTypes,
  GetPriceRequest: [
    ...invalidTypes.GetPriceTypes,
    ["contractAddress", priceWith({ contractAddress: "0x" })],
    ["tokenId", priceWith({ tokenId: "7".repeat(79) })],
  ],
  GetOrdersRequest: [
    ...invalidTypes.GetOrdersTypes,
    ["input", ordersRequest(1_001)],
    [
      "contractAddress",
      ordersWith({ contractAddress: `${order.contractAddress}0` }),
    ],
    ["orderId", ordersWith({ orderId: "x".repeat(257) })],
  ],
};

generate();
const tables = [];
for (const { name, message, value, wrong = null } of cells) {
  const measured = measure(await createSubjects(message), value, wrong);
  const samplesOf = (wanted) =>
    measured.find((each) => each.name === wanted).samples;
  if (wrong === null) {
    for (const rival of rivals) {
      goals.atMost(
        `CPU, ${name}: parsed and validated, relative to ${rival}`,
        ratio(samplesOf(ownSubject), samplesOf(rival), "cpu"),
        1.05,
      );
    }
  }
  tables.push(printTable(name, measured, samplesOf(baseline)));
}

tables.push(await measureUnion());

/** Compares a tagged union with a struct that has the fields of its variant. */
async function measureUnion() {
  const validatorsOf = async (message) =>
    (await createSubjects(message)).filter(({ name }) => name !== baseline);
  const structs = await validatorsOf("RecordFilledRequest");
  const unions = await validatorsOf("RecordRequest");
  const structOf = (name) => `${name}: struct`;
  const compared = structs.flatMap((struct, index) => [
    { ...struct, name: structOf(struct.name) },
    unions[index],
  ]);
  const all = measure(compared, { events: filled }, null);
  const samplesOf = (wanted) => all.find(({ name }) => name === wanted).samples;
  const rows = unions.map(({ name }) => {
    const [struct, union] = [structOf(name), name].map(samplesOf);
    const share = ratio(union, struct, "cpu");
    if (name === ownSubject) {
      goals.atMost("CPU, a tagged union relative to a struct", share, 1.1);
    }
    return `| ${name} | ${printTime(struct)} | ${printTime(union)} | ${share.toFixed(2)} |`;
  });
  return `## A tagged union\n\nTen events have the same type. It is the type of the list's items, or one of four variants that a tag tells apart. Ratios are relative to the struct.\n\n| | struct | union | ratio |\n| --- | --- | --- | --- |\n${rows.join("\n")}`;
}

/** Measures how long subjects take to read a value, and checks that they do. */
function measure(subjects, value, wrong) {
  const text = JSON.stringify(value);
  const count = Math.ceil(ms * (300_000 / (text.length + 700)));
  return runRounds(
    subjects.map(({ name, message, read }) => ({
      name,
      measure: () => ({ cpu: timeOf(read, text, count) }),
      check: () => {
        if (name !== baseline) prove(name, read, { text, message, wrong });
      },
    })),
    rounds,
  );
}

/**
 * Fails unless a subject rejects invalid messages and names the wrong field.
 * If `wrong` is null, the subject must also accept the measured message.
 */
function prove(subject, read, { text, message, wrong }) {
  const expect = (field, input) => {
    const faults = read(input);
    const isRight =
      field === null
        ? faults.length === 0
        : JSON.stringify(faults).includes(field);
    if (!isRight) throw new Error(`${subject} is wrong about ${input}`);
  };
  expect(wrong, text);
  for (const [field, value] of invalidValues[message]) {
    expect(field, JSON.stringify(value));
  }
}

/** Returns the CPU microseconds for one text. */
function timeOf(read, text, count) {
  let faults = 0;
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) faults += read(text).length;
  const { user, system } = process.cpuUsage(before);
  if (faults < 0) throw new Error("never, but read");
  return (user + system) / count;
}

function printTable(name, measured, alone) {
  const rows = measured.map(({ name: subject, samples }) => {
    return `| ${subject} | ${printTime(samples)} | ${ratio(samples, alone, "cpu").toFixed(2)} |`;
  });
  return `## ${name}\n\n| | CPU | ratio |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function printTime(samples) {
  const values = samples.map(({ cpu }) => cpu);
  const share = Math.round(spread(values) * 100);
  return `${median(values).toFixed(2)} µs ±${share}%`;
}

const report = `# Validation

${describeMachine()} Each subject parses and validates the requests of the server benchmark, in one process. Figures are medians of ${rounds} rounds after a warm-up round, with the subjects taking turns. ± is half of the interquartile range, as a percentage of the median. Ratios are relative to ${baseline}, and are medians of the ratios within each round. All validators report every mistake, unless their name says otherwise. In the tables with types only, the contract has no limits. In the other tables, an address matches a pattern of 42 characters, an amount consists of digits, and an ID has 1 to 256 characters.

${tables.join("\n\n")}

## Goals

${printGoals(goals.list())}
`;
await endWith("validation", report, goals);
