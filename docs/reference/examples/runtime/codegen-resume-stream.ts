// Continues a lost stream of a method with [`@resume`](../../streams.md#resume). Generated methods use it.
import { createStreams, stream } from "@ridlkit/runtime/codegen/create-streams";
import { resumeAfter } from "@ridlkit/runtime/codegen/resume-stream";
import type { StreamMethod } from "@ridlkit/runtime/stream";

type After = { after?: number };
type Item = { message: { id: number; text: string } };

const watch: StreamMethod<After, Item, never> = stream("/rpc/Chat/Watch", {
  resume: resumeAfter("after", "message", "id"),
});

const sent: unknown[] = [];
const { watch: open } = createStreams(
  {
    baseUrl: "https://chat.example.com",
    async fetch(_url, init) {
      sent.push(init.body);
      const lines =
        sent.length === 1
          ? '{"message":{"id":1,"text":"hello"}}\n{"mess'
          : '{"message":{"id":2,"text":"bye"}}\n';
      const headers = { "content-type": "application/x-ndjson" };
      return new Response(lines, { headers });
    },
  },
  { watch },
);

for await (const { message } of open({}, { reconnect: { minDelayMs: 1 } })) {
  console.log(message.text);
}
console.log(sent);
