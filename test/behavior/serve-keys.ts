import type { Listening } from "../support/listen.js";
import { loadGenerated, readContract, serve } from "./load-contract.js";

/** A contract with credentials in queries and cookies. */
export const keysContract = readContract("keys.ridl");

/** Starts a server of the contract. It rejects the credential `wrong`. */
export async function serveKeys(): Promise<Listening> {
  const exports = await loadGenerated("keys.ridl");
  const seen = new WeakMap<object, readonly string[]>();
  const verify = (value: string, context: object): boolean => {
    seen.set(context, [...(seen.get(context) ?? []), value]);
    return value !== "wrong";
  };
  const answer = (request: object, context: object): object => ({
    ...request,
    seen: seen.get(context) ?? [],
  });
  return serve(exports, "createKeysServer", {
    readsByGet: true,
    methods: { "Weather/List": { cacheControl: "max-age=60" } },
    verifyApiKey: verify,
    verifyToken: verify,
    verifyTeam: verify,
    verifyLogin: verify,
    verifySession: verify,
    verifyJar: verify,
    handlers: {
      weather: {
        getStation: answer,
        list: answer,
        add: answer,
        ping: answer,
        me: answer,
        all: answer,
        note: answer,
        join: answer,
        look: answer,
        open: answer,
        watch: async function* ({ count }: { count: number }, context: object) {
          await Promise.resolve();
          for (let n = 0; n < count; n += 1) yield answer({}, context);
        },
      },
    },
  });
}
