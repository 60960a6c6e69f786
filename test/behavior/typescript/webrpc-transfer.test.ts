import { runInNewContext } from "node:vm";
import { transfer } from "@ridlkit/runtime/codegen/create-transfers";
import {
  builtInErrorByCode,
  webrpcService,
} from "@ridlkit/runtime/codegen/webrpc";
import { sendFiles } from "@ridlkit/runtime/codegen/webrpc-transfer";
import { expect, it } from "vitest";

interface PicturesClient {
  upload(
    req: { readonly userId: number; readonly picture: Blob },
    headers?: object,
  ): Promise<{ readonly size: number }>;
}

const upload = transfer<
  { readonly userId: number; readonly picture: Blob },
  { readonly size: number },
  never
>("/rpc/Pictures/Upload", { files: ["picture"] });

const Pictures = webrpcService<PicturesClient, object>({
  name: "Pictures",
  path: "/rpc/Pictures/",
  header: "webrpc;ridlkit;pictures@v1",
  errorByCode: builtInErrorByCode,
  methods: {
    upload: {
      call: upload.message,
      hasRequest: true,
      send: sendFiles(upload),
    },
  },
});

it("sends files through a client whose class and methods have webrpc's names", async () => {
  const asked: { url: string; init: RequestInit }[] = [];
  const fetch = async (input: RequestInfo, init: RequestInit = {}) => {
    asked.push({ url: String(input), init });
    return new Response('{"size":3}');
  };
  class Moved extends Pictures {
    protected override path = "/v2/Pictures/";
  }
  const pictures = new Moved("http://pictures", fetch);
  const request = { userId: 7, picture: new Blob(["abc"]) };
  expect(await pictures.upload(request, { "X-A": "1" })).toEqual({ size: 3 });
  const [{ url, init } = expect.unreachable()] = asked;
  expect(url).toBe("http://pictures/v2/Pictures/Upload");
  expect(new Headers(init.headers).get("x-a")).toBe("1");
  const form = await new Response(init.body ?? null).formData();
  const [sent] = [...form.values()].filter((value) => value instanceof Blob);
  expect(await new Response(sent ?? "").text()).toContain("abc");
});

it("an upload throws the server's error like any other method", async () => {
  const body = '{"error":"WebrpcBadRequest","code":-4,"msg":"no","status":400}';
  const fetch = async () => new Response(body, { status: 400 });
  const pictures = new Pictures("http://pictures", fetch);
  const request = { userId: 7, picture: new Blob(["abc"]) };
  await expect(pictures.upload(request)).rejects.toBeInstanceOf(
    builtInErrorByCode[-4],
  );
});

it("has the message of an error of another realm", async () => {
  const fetch = () => runInNewContext('Promise.reject(new TypeError("lost"))');
  const pictures = new Pictures("http://pictures", fetch);
  const request = { userId: 7, picture: new Blob(["abc"]) };
  await expect(pictures.upload(request)).rejects.toMatchObject({
    cause: "fetch(): lost",
  });
});
