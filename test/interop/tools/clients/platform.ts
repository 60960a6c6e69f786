// Calls every method of the platform with one of four clients, and prints the
// responses.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import * as heyApi from "../.work/platform/hey-api/index.js";
import { setConfig } from "../.work/platform/kubb/.kubb/fetch.js";
import * as kubb from "../.work/platform/kubb/index.js";
import type { paths } from "../.work/platform/openapi-typescript.js";
import * as orval from "../.work/platform/orval/platform.js";

interface Call {
  readonly id: string;
  readonly verb: string;
  readonly path: string;
  readonly parameters: readonly (readonly [string, unknown])[];
  readonly body: object | null;
}

interface Calls {
  readonly calls: readonly Call[];
  readonly headers: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

const [tool = "", address = "", file = ""] = process.argv.slice(2);
const { calls, headers }: Calls = JSON.parse(readFileSync(file, "utf8"));

/**
 * Returns the function for an operation. The tools spell its name in different
 * cases.
 */
function functionIn(client: object, { id }: Call) {
  const wanted = id.replace("_", "").toLowerCase();
  const name = Object.keys(client).find((key) => key.toLowerCase() === wanted);
  return Object(client)[name ?? id];
}

const fetchClient = createClient<paths>({ baseUrl: address, headers });
// Orval's client sends requests to paths, without a base address.
const { fetch: send } = globalThis;

const callers: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {
  async "openapi-fetch"({ body, parameters, path, verb }) {
    const act = Object(fetchClient)[verb.toUpperCase()];
    const { data, error, response } = await act(path, {
      params: { path: Object.fromEntries(parameters) },
      ...(body && { body }),
    });
    return { status: response.status, json: data ?? error };
  },
  async "hey-api"(call) {
    const { data, error, response } = await functionIn(
      heyApi,
      call,
    )({
      baseUrl: address,
      headers,
      path: Object.fromEntries(call.parameters),
      ...(call.body && { body: call.body }),
    });
    return { status: response.status, json: data ?? error };
  },
  async orval(call) {
    globalThis.fetch = (input, init) =>
      send(`${address}${String(input)}`, init);
    const values = call.parameters.map(([, value]) => value);
    const { data, status } = await functionIn(orval, call)(
      ...values,
      ...(call.body ? [call.body] : []),
      { headers },
    );
    return { status, json: data };
  },
  async kubb(call) {
    setConfig({
      baseURL: address,
      headers: { ...headers, "Content-Type": "application/json" },
    });
    // A function only returns the body of a response, so `fetch` keeps the status.
    let status = 0;
    globalThis.fetch = async (input, init) => {
      const answer = await send(input, init);
      ({ status } = answer);
      return answer;
    };
    const values = call.parameters.map(([, value]) => value);
    const json = await functionIn(kubb, call)(
      ...values,
      ...(call.body ? [call.body] : []),
    );
    return { status, json };
  },
};

const caller = callers[tool];
if (caller === undefined) throw new Error(`there is no client for ${tool}`);
const answers: Answer[] = [];
for (const call of calls) answers.push(await caller(call));
console.log(JSON.stringify(answers));
