import { expect, onTestFinished, test } from "vitest";
import { openStream } from "../../../runtime/typescript/client/stream.js";
import { stream } from "../../../runtime/typescript/codegen/create-streams.js";
import { eventually } from "./eventually.js";
import { hosts, isInstalled, type Host } from "./hosts.js";
import { proxies } from "./proxies/start-proxy.js";
import { startPlace } from "./start-place.js";

/** Less than the time until a keep-alive, which would push an item on. */
const maxMs = 3000;

const find = (name: string): Host => {
  const host = hosts.find((each) => each.name === name);
  if (host === undefined) throw new Error(`there is no host ${name}`);
  return host;
};

const behind = (language: string, host: Host): Host[] =>
  proxies
    .filter(({ isMiddleware }) => !isMiddleware)
    .map(({ name, ...front }) => ({
      ...host,
      name: `${language} behind ${name}`,
      front: { name, ...front },
    }));

/** Servers behind proxies, and below what compresses. */
const places: readonly Host[] = [
  ...behind("node:http", find("node:http")),
  find("`compression()` of Express"),
  ...behind("Go", find("nothing")),
  find("chi's `Compress`"),
  find("gorilla's `CompressHandler`"),
];

for (const host of places.filter(isInstalled)) {
  test(`the first item of a stream that waits arrives at once: ${host.name}`, async () => {
    const place = await startPlace(host, eventually);
    onTestFinished(async () => {
      place.close();
      await place.host.close();
    });
    const baseUrl = `http://127.0.0.1:${String(place.host.port)}`;
    const times: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const before = performance.now();
      const items = openStream({ baseUrl }, stream("/rpc/Work/WaitLong"));
      for await (const item of items) {
        times.push(performance.now() - before);
        expect(item).toEqual({ n: 1 });
        break;
      }
    }
    const all = times.map((ms) => ms.toFixed()).join(", ");
    console.log(`${host.name}: ${all} ms until the first item`);
    expect(Math.min(...times)).toBeLessThan(maxMs);
  });
}
