import { expect, it } from "vitest";
import { inProcess } from "@ridlkit/runtime/in-process";
import {
  checkResponses,
  type ClientInterceptor,
} from "@ridlkit/runtime/interceptors";
import { createPicturesClient } from "../golden/fixtures/files/expected/client.js";
import { createFilesServer } from "../golden/fixtures/files/expected/server.js";
import { filesResponseChecks } from "../golden/fixtures/files/expected/validators.js";

it("does not validate the content of a download", async () => {
  const server = createFilesServer({
    handlers: {
      pictures: {
        upload: () => ({ names: [], size: 0 }),
        download: () => ({ file: new Blob(["content"]) }),
        grey: ({ picture }) => ({ picture }),
        count: () => ({ count: 0 }),
      },
    },
    verifySecret: () => true,
  });
  const reports: unknown[] = [];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const untilEnd: ClientInterceptor = (next) => (call) =>
    next(call).finally(() => end());
  const client = createPicturesClient({
    baseUrl: "",
    fetch: inProcess(server),
    credentials: { secret: "s" },
    use: [
      untilEnd,
      checkResponses(filesResponseChecks, (failures) => reports.push(failures)),
    ],
  });
  const { file } = await client.download({ userId: 7 });
  expect(await new Response(file.stream()).text()).toBe("content");
  await ended;
  expect(reports).toEqual([]);
});
