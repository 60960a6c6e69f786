import {
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { expect, onTestFinished, test } from "vitest";

import { openChainClient } from "../../network/chain-client.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { startTracing, type Tracing } from "../../tracing/start-tracing.js";
import { hashOf, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings, servePlatform } from "../support/serve-platform.js";
import { silent } from "../support/test-database.js";

const opened = await openRelaying();
const { answering, chain, database, openSponsor, owner, startWorking } = opened;

/** Tracing that keeps the spans that have ended. */
interface KeptTracing extends Tracing {
  readonly kept: readonly ReadableSpan[];
}

/** Starts tracing, like a process that starts. */
function trace(): KeptTracing {
  const kept: ReadableSpan[] = [];
  const exporter: ConstructorParameters<
    typeof SimpleSpanProcessor
  >[0]["exporter"] = {
    export: (spans, done) => {
      kept.push(...spans);
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
  const tracing = startTracing(new SimpleSpanProcessor({ exporter }), silent);
  onTestFinished(tracing.stop);
  return { ...tracing, kept };
}

/** Returns an instance that gets a header with every call. */
function instanceOf(tracing: Tracing | null, traceparent: string) {
  const { call } = servePlatform(
    database,
    { networks: [chain.network] },
    openChainClient,
    tracing,
  );
  const on: { readonly call: typeof call } = {
    call: (path, headers, message) =>
      call(path, { ...headers, traceparent }, message),
  };
  return on;
}

const traceId = "0af7651916cd43dd8448eb211c80319c";
const clickId = "b7ad6b7169203331";
const click = `00-${traceId}-${clickId}-01`;

/** Describes spans in the order in which they ended, each with its parent. */
function describeSpans(spans: readonly ReadableSpan[], all = spans): string[] {
  return spans.map(({ name, parentSpanContext, status }) => {
    const id = parentSpanContext?.spanId;
    const parent = all.find((span) => span.spanContext().spanId === id)?.name;
    const above = id === clickId ? "the click" : (parent ?? "nothing");
    return `${name} < ${above}${status.code === 2 ? " (failed)" : ""}`;
  });
}

function spansOf({ kept }: KeptTracing): readonly ReadableSpan[] {
  return kept.filter((span) => span.spanContext().traceId === traceId);
}

test("traces a relay from the click to its block, over a crash and on another instance", async () => {
  const { relay, settled, wallet } = await openSponsor();
  const before = trace();
  const accepted = await relayOf(
    relay(callOf(wallet), { on: instanceOf(before, click) }),
  );
  const { all } = answering("eth_sendRawTransaction", () => {
    throw new Error("the node is gone");
  });
  const parts = { database, log: silent, settings: defaultSettings };
  for (const network of all) {
    await expect(settleRelay(parts, network, accepted.id)).rejects.toThrow();
  }
  await before.stop();
  const after = trace();
  startWorking();
  const done = await settled(accepted);
  await expect
    .poll(() => spansOf(after).some(({ name }) => name === "book relay"))
    .toBe(true);

  const spans = [...spansOf(before), ...spansOf(after)];
  expect(describeSpans(spansOf(before))).toEqual([
    "find sponsor < Relaying/Relay",
    "estimate cost < Relaying/Relay",
    "store relay < Relaying/Relay",
    "Relaying/Relay < the click",
    "sign transaction < sign relay",
    "eth_sendRawTransaction < sign relay (failed)",
    "sign relay < store relay (failed)",
  ]);
  expect(describeSpans(spansOf(after), spans)).toEqual([
    "eth_sendRawTransaction < push relay",
    "push relay < store relay",
    "wait for block < store relay",
    "book relay < store relay",
  ]);

  const hash = hashOf(done);
  const receipt = await owner.getTransactionReceipt({ hash });
  const { nonce } = await owner.getTransaction({ hash });
  const [sign, wait, book] = [
    "sign transaction",
    "wait for block",
    "book relay",
  ].map((name) => spans.find((span) => span.name === name));
  expect(sign?.attributes).toEqual({
    "ridlkit.transaction.hash": hash,
    "ridlkit.transaction.nonce": nonce,
  });
  expect(book?.attributes).toEqual({
    "ridlkit.relay.id": done.id,
    "ridlkit.relay.state": "done",
    "ridlkit.relay.cost": done.cost,
    "ridlkit.network": chain.network.handle,
    "ridlkit.chain.id": chain.network.chainId,
    "ridlkit.block.number": Number(receipt.blockNumber),
    "ridlkit.transaction.hash": hash,
    "ridlkit.transaction.gas_used": Number(receipt.gasUsed),
  });
  // It began before the crash.
  expect(wait?.startTime[0]).toBeLessThanOrEqual(sign?.endTime[0] ?? 0);

  // Nothing is longer than a hash, such as a key, a signature or a message.
  const values = spans.flatMap(({ attributes }) => Object.values(attributes));
  expect(Math.max(...values.map((value) => String(value).length))).toBe(66);
});

test("uses only attributes of the semantic conventions and its own", async () => {
  const { relay, settled, wallet } = await openSponsor();
  const tracing = trace();
  startWorking();
  const on = instanceOf(tracing, click);
  await settled(await relayOf(relay(callOf(wallet), { on })));
  await expect
    .poll(() => spansOf(tracing).some(({ name }) => name === "book relay"))
    .toBe(true);
  const known = new Set<unknown>(Object.values(conventions));
  const names = spansOf(tracing).flatMap(({ attributes }) =>
    Object.keys(attributes),
  );
  expect(names).toContain("rpc.method");
  expect(
    names.filter((name) => !known.has(name) && !name.startsWith("ridlkit.")),
  ).toEqual([]);
});

test("ignores the caller's trace if there is no tracing", async () => {
  const { relay, settled, wallet } = await openSponsor();
  startWorking();
  const on = instanceOf(null, click);
  const { id } = await settled(await relayOf(relay(callOf(wallet), { on })));
  const row = await database
    .selectFrom("relays")
    .select("traceparent")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row.traceparent).toBeNull();
});
