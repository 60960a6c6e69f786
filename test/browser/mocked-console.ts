import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { answerPage, pageHeaders } from "../../platform/console/serve-page.js";
import { listen } from "../support/listen.js";

/** The console's page, which calls `ridl mock`. */
export interface MockedConsole {
  readonly url: string;
  /**
   * Returns the method and body of each call since the previous `takeCalls`.
   */
  takeCalls(): readonly string[];
  close(): Promise<void>;
}

/**
 * Serves the built page, and mock data for its contract to signed-in users.
 *
 * Input: responses by method, e.g. `Projects/GetProject`.
 */
export async function serveMockedConsole(
  answers: Readonly<Record<string, unknown>>,
): Promise<MockedConsole> {
  const mock = await startMock(writeAnswers(answers));
  const calls: string[] = [];
  const { url, close } = await listen(
    createServer(async (request, response) => {
      const path = request.url ?? "/";
      for (const [name, value] of Object.entries(pageHeaders)) {
        response.setHeader(name, value);
      }
      if (answerPage("dist/console", request, response)) return;
      const body = await readBody(request);
      calls.push(`${path.slice("/rpc/".length)} ${body}`);
      const answer = await fetch(mock.url + path, {
        method: "POST",
        headers: headersFor(request),
        body,
      });
      if (path === "/rpc/Operators/SignIn")
        response.setHeader("set-cookie", "session=1; HttpOnly; Path=/");
      if (path === "/rpc/Operators/SignOut")
        response.setHeader("set-cookie", "session=; Max-Age=0; Path=/");
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    }),
  );
  return {
    url,
    takeCalls: () => calls.splice(0),
    close: async () => {
      await close();
      await mock.stop();
    },
  };
}

/** Converts the cookie to a header, as the platform's real server does. */
function headersFor({ headers }: IncomingMessage): Record<string, string> {
  const hasSession = headers.cookie?.includes("session=1") === true;
  return {
    "content-type": headers["content-type"] ?? "",
    ...(hasSession && { authorization: "Bearer 1" }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}

function writeAnswers(answers: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "console-"));
  for (const [method, answer] of Object.entries(answers)) {
    const path = join(folder, `${method}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(answer));
  }
  return folder;
}

async function startMock(
  overrides: string,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const child = spawn(
    process.execPath,
    [
      ...["bin/ridl.js", "mock", "--port", "0", "--seed", "4"],
      ...["--config", "platform/console/ridl.config.yaml"],
      ...["--overrides", overrides],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, "exit");
  };
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    output += chunk;
    if (output.includes("Ctrl-C")) break;
  }
  const [url] = /http:\/\/[\w.:]+/u.exec(output) ?? [];
  if (url === undefined) throw new Error("ridl mock did not start");
  return { url, stop };
}
