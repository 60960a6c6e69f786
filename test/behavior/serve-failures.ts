import type { Listening } from "../support/listen.js";
import { loadGenerated, readContract, serve } from "./load-contract.js";

/** A contract whose servers write errors in bodies of their own. */
export const failuresContract = readContract("failures.ridl");

type ErrorClass = new (options?: object) => Error;

/** Starts a server whose method `Fail` fails in many ways. */
export async function serveFailures(): Promise<Listening> {
  const exports = await loadGenerated("failures.ridl");
  const raise = (name: string, options?: object): never => {
    throw new (exports[`${name}Error`] as ErrorClass)(options);
  };
  const detail = { message: "mine", number: "7" };
  const fail = ({ how }: { how: string }): never => {
    switch (how) {
      case "cause":
        return raise("NotFound", { cause: "because" });
      case "message":
        return raise("NotFound", { message: "another" });
      case "data":
        return raise("SoldOut", { data: { left: 3, scopes: ["a", "b"] } });
      case "extra":
        return raise("SoldOut", { data: { more: { a: [1], b: null } } });
      case "own":
        return raise("SoldOut", {
          data: { title: "", errors: [detail, detail], param: "p" },
        });
      case "comma":
        return raise("SoldOut", { data: { scopes: ["a,b"] } });
      case "line":
        return raise("SoldOut", { data: { scopes: ["a\nb"] } });
      case "teapot":
        return raise("Teapot", { cause: "because", data: { pot: "blue" } });
      case "reason":
        return raise("Refused", { status: 402, data: { reason: "r" } });
      case "status":
        return raise("Refused", { status: 200, data: {} });
      case "redirect":
        return raise("Refused", { status: 307, data: {} });
      case "unmodified":
        return raise("Refused", { status: 304, data: {} });
      case "plain":
        return raise("SoldOut");
      default:
        throw new Error("secret");
    }
  };
  return serve(exports, "createFailuresServer", {
    onError: () => undefined,
    verifyKey: (key: string) => key === "k",
    verifyTeam: (team: string) => team === "t",
    verifyMember: (member: string) => member === "m",
    verifyLogin: (token: string) => token === "l",
    handlers: {
      shop: {
        fail,
        guarded: () => undefined,
        join: () => undefined,
        watch: async function* ({ how }: { how: string }) {
          await Promise.resolve();
          yield { n: 1 };
          fail({ how });
        },
      },
    },
  });
}
