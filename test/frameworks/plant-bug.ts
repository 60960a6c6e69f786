import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** The parts of a request that a bug changes before the app sees them. */
interface Asked {
  method: string;
  url: string;
  body: string;
  authorization: string | undefined;
}

/** The parts of a response that a bug changes. */
interface Answered {
  status: number;
  body: string;
}

/** A fault of an app that the contract does not allow. */
export interface Bug {
  /** What the app does. */
  readonly what: string;
  /** A part of the report that finds it. */
  readonly found: RegExp;
  readonly ask?: (asked: Asked) => void;
  readonly answer?: (answered: Answered, asked: Readonly<Asked>) => void;
}

type Members = Record<string, unknown>;

/** Changes the members of the body if it is an object. */
function edit(
  holder: { body: string },
  change: (members: Members) => void,
): void {
  try {
    const value: unknown = JSON.parse(holder.body);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return;
    }
    const members: Members = { ...value };
    change(members);
    holder.body = JSON.stringify(members);
  } catch {
    // A malformed body stays malformed.
  }
}

const isAdded = ({ method }: Readonly<Asked>): boolean => method === "POST";

/** Bugs that no client of the app needs to notice. */
export const bugs: readonly Bug[] = [
  {
    what: "accepts a limit above its maximum",
    found: /`limit` is 101\n.*\n {2}received: 200/u,
    ask: (asked) => {
      asked.url = asked.url.replace(/\blimit=101\b/u, "limit=100");
    },
  },
  {
    what: "accepts a title that is too long",
    found: /`title` of length 81\n.*\n {2}received: 201/u,
    ask: (asked) =>
      edit(asked, (book) => {
        const { title } = book;
        if (typeof title === "string") {
          book["title"] = [...title].slice(0, 80).join("");
        }
      }),
  },
  {
    what: "accepts an unknown kind",
    found: /`kind` is "[^"]*"\n.*\n {2}received: 201/u,
    ask: (asked) =>
      edit(asked, (book) => {
        if (typeof book["kind"] === "string") book["kind"] = "paper";
      }),
  },
  {
    what: "accepts a book without a price",
    found: /no `price`\n.*\n {2}received: 201/u,
    ask: (asked) =>
      edit(asked, (book) => {
        if (book["price"] === undefined) book["price"] = 1;
      }),
  },
  {
    what: "fails for the highest price",
    found: /received: 500 /u,
    answer: (answered, asked) => {
      if (!/"price":1000\b/u.test(asked.body)) return;
      answered.status = 500;
      answered.body = "out of paper";
    },
  },
  {
    what: "sends a price that is text",
    found: /received: 201 .*, where price: expected/u,
    answer: (answered, asked) => {
      if (isAdded(asked)) edit(answered, (book) => (book["price"] = "free"));
    },
  },
  {
    what: "sends a book without a title",
    found: /received: 201 .*, where title: expected .*, got nothing/u,
    answer: (answered, asked) => {
      if (isAdded(asked)) edit(answered, (book) => delete book["title"]);
    },
  },
  {
    what: "answers 200 in place of 201",
    found: /received: 200 .*, which is not a status of the method/u,
    answer: (answered) => {
      if (answered.status === 201) answered.status = 200;
    },
  },
  {
    what: "does not check a credential",
    found: /expected: status 401 or 403\n {2}received: 204/u,
    ask: (asked) => {
      asked.authorization = "Bearer good";
    },
  },
  {
    what: "answers with an undeclared error",
    found: /received: 410 with the body .*, which is no error of the method/u,
    answer: (answered) => {
      if (answered.body.includes("no such book")) answered.status = 410;
    },
  },
];

/** Creates a server in front of an app that has a bug. */
export function createBuggyServer(app: string, bug: Bug): Server {
  return createServer((request, response) => {
    void forward(request, app, bug).then(
      ([{ body, status }, type]) => {
        response.writeHead(status, { "content-type": type });
        response.end(body);
      },
      () => response.destroy(),
    );
  });
}

async function forward(
  request: IncomingMessage,
  app: string,
  bug: Bug,
): Promise<readonly [Answered, string]> {
  const { headers, method = "", url = "" } = request;
  const { authorization } = headers;
  const asked = { method, url, body: await text(request), authorization };
  bug.ask?.(asked);
  const sent = new Headers();
  const type = headers["content-type"];
  if (type !== undefined) sent.set("content-type", type);
  if (asked.authorization) sent.set("authorization", asked.authorization);
  const response = await fetch(app + asked.url, {
    method,
    headers: sent,
    redirect: "manual",
    body: asked.body === "" ? null : asked.body,
  });
  const answered = { status: response.status, body: await response.text() };
  bug.answer?.(answered, asked);
  return [answered, response.headers.get("content-type") ?? ""];
}
