import { gzipSync } from "node:zlib";
import { isQuick } from "../harness/report.js";

const megabytes = isQuick ? 5 : 100;
const depth = isQuick ? 5_000 : 100_000;
const nested = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const many = depth.toLocaleString("en");

const save = (members) => `{"name":"a","counts":{}${members}}`;

/**
 * The hostile requests. `act` gets functions to call a server, and returns what
 * happened, in a few words. `modes` are the values of `NODE_ENV` to try, if there
 * is more than `production`.
 */
export const attacks = [
  {
    name: 'a value of another type: `name` is `{"$ne": null}`',
    act: async ({ call }) =>
      outcome(await call("save", '{"name":{"$ne":null},"counts":{}}')),
  },
  {
    name: "`__proto__` beside the declared fields",
    async act({ call }) {
      const result = await call("save", save(',"__proto__":{"isAdmin":true}'));
      return result.seen?.isPolluted
        ? `${result.status}, **the handler reads \`isAdmin\`**`
        : outcome(result, "ignored");
    },
  },
  {
    name: "`__proto__` as a key of a map",
    async act({ call }) {
      const value = '{"name":"a","counts":{"__proto__":7,"b":8}}';
      const result = await call("save", value);
      const isKept = result.seen?.keys.includes("__proto__");
      return outcome(result, isKept ? "kept" : "**the entry is lost**");
    },
  },
  {
    name: "methods `constructor`, `toString`, `__proto__`",
    async act({ call }) {
      const outcomes = new Set();
      for (const name of ["constructor", "toString", "__proto__"]) {
        const { isRejected, status } = await call(name, "{}");
        outcomes.add(`${status}, ${isRejected ? "refused" : "**called**"}`);
      }
      return [...outcomes].join("; ");
    },
  },
  {
    name: `${many} nested objects in a field of any type`,
    act: async ({ call }) =>
      outcome(await call("save", save(`,"data":${nested}`))),
  },
  {
    name: `${many} nested objects in an undeclared field`,
    act: async ({ call }) =>
      outcome(await call("save", save(`,"more":${nested}`)), "ignored"),
  },
  {
    name: `body of ${megabytes} MB, without a length`,
    async act({ call, toBody }) {
      const [start, end] = toBody("save", save(',"data":"@"')).split("@");
      const filler = Buffer.alloc(1_000_000, "a");
      const body = [start, ...Array(megabytes).fill(filler), end];
      const result = await call("save", "", { body });
      return `${outcome(result)}, ${grown(result)}`;
    },
  },
  {
    name: `compressed body, ${megabytes} MB when inflated`,
    async act({ call, toBody }) {
      const text = save(`,"data":"${"a".repeat(megabytes * 1_000_000)}"`);
      const body = gzipSync(toBody("save", text));
      const headers = { "content-encoding": "gzip" };
      const result = await call("save", "", { body, headers });
      return `${outcome(result)}, ${grown(result)}`;
    },
  },
  {
    name: "call from another site, as a form of a web page can send it",
    async act({ call }) {
      const headers = {
        "content-type": "text/plain",
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "no-cors",
      };
      return outcome(await call("save", save(""), { headers }));
    },
  },
  {
    name: "a handler throws an error with a secret",
    modes: ["production", "development"],
    async act({ call }) {
      const { status, text } = await call("fail", '{"name":"a"}');
      const isSent = text.includes("hunter2");
      const hasStack = /\bat .*\.js:\d+/u.test(text);
      if (!isSent) return `${status}, not sent`;
      return `${status}, **the message${hasStack ? " and the stack are" : " is"} sent**`;
    },
  },
];

/** Describes a result by its status and whether the handler ran. */
function outcome({ isAlive, seen, status }, ran = "**the handler runs**") {
  const parts = [
    { 0: "no response", "-1": "no response in 60 s" }[status] ?? status,
    seen === null ? "refused" : ran,
    ...(isAlive ? [] : ["**the server crashes**"]),
  ];
  return parts.join(", ");
}

const grown = ({ memory }) => `+${Math.max(0, Math.round(memory))} MB`;
