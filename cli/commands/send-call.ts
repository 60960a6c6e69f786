import type { MethodPlan } from "../../generator/4-emit/typescript/plan/plan.js";
import type { Contract } from "../../generator/ir/contract.js";
import type { FoundMethod } from "../../tools/call/find-method.js";
import type { LoadedMethod } from "../../tools/call/load-method.js";
import type { WrittenFields } from "../../tools/call/read-request.js";
import type { FormFile } from "../../tools/test/drawn-request.js";
import type { ProjectFlags } from "../project/project.js";
import {
  type CallFailure,
  describeFailure,
} from "../../tools/call/describe-failure.js";
import { printResponse } from "../../tools/call/print-response.js";
import { createServerFetch } from "../../tools/call-server.js";
import { memberOf } from "../../tools/loaded.js";
import { exitCodes } from "../system/exit-codes.js";
import { type AbsolutePath, resolvePath } from "../system/paths.js";
import {
  codeOf,
  FileError,
  type LongOutput,
  type System,
} from "../system/system.js";
import type { ReadOptions, ServerFlags } from "./server-flags.js";

/** Flags of `ridl call`. */
export interface CallFlags extends ProjectFlags, ServerFlags {
  /** Base address of the server. */
  readonly url?: string;
  /** Documents, folders and patterns. */
  readonly schema: readonly string[];
  /** Time limit in seconds. Default: 60. */
  readonly timeout?: number;
  /** File for the response. `-` means standard output. */
  readonly output?: string;
  readonly check?: boolean;
  readonly curl?: boolean;
  readonly format: "text" | "json";
}

/** A method to call, with everything that the call needs. */
export interface PreparedCall {
  readonly found: FoundMethod;
  /** The part of the contract that the method needs. */
  readonly contract: Contract;
  readonly plan: MethodPlan;
  readonly loaded: LoadedMethod;
  readonly baseUrl: string;
  readonly request: WrittenFields;
  /** The files that the request sends. */
  readonly files: readonly FormFile[];
}

/** Maximum size of a response that is neither a stream nor a file. */
const maxBytes = 32 * 1024 * 1024;

/** What a call has printed so far. */
interface Progress {
  /** Where the response violates the contract, or "". */
  violation: string;
}

/**
 * Sends a request, and prints the response as it arrives. Returns the exit code.
 */
export async function sendCall(
  prepared: PreparedCall,
  options: ReadOptions,
  flags: CallFlags,
  interrupt: AbortController,
  system: System,
): Promise<number> {
  const { baseUrl, loaded, plan, request } = prepared;
  const timeoutMs = (flags.timeout ?? 60) * 1000;
  const isStream = plan.kind === "stream";
  const isPiecemeal = isStream || plan.response.files.length > 0;
  const limits = { maxBytes, timeoutMs, isPiecemeal };
  const client = {
    ...options,
    baseUrl,
    fetch: createServerFetch(limits),
    signal: interrupt.signal,
  };
  const progress: Progress = { violation: "" };
  const chunks = chunksOf(
    prepared,
    () => loaded.call(client, request),
    flags.check === true ? progress : null,
  );
  const path = flags.output ?? "-";
  const file = path === "-" ? null : resolvePath(system.workingFolder, path);
  try {
    await writeAll(chunks, file, interrupt, system);
  } catch (error) {
    const failure = describeFailure(error, baseUrl, timeoutMs);
    if (failure === null) throw error;
    return explain(failure, flags, system);
  }
  if (progress.violation === "") return exitCodes.success;
  system.stderr.write(
    `error: the response violates the contract: ${progress.violation}\n`,
  );
  return exitCodes.noResponse;
}

/**
 * Sends the request and yields the parts of the output. Stops at the first
 * violation of the contract, if there is a progress to record it.
 */
async function* chunksOf(
  { loaded, plan }: PreparedCall,
  call: () => unknown,
  progress: Progress | null,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const answer = await call();
  const [file] = plan.response.files;
  if (file !== undefined) {
    const download = memberOf(answer, file);
    yield* Object(download).stream();
    return;
  }
  const isStream = plan.kind === "stream";
  for await (const message of isStream ? Object(answer) : [answer]) {
    yield `${printResponse(message, isStream ? "" : "  ")}\n`;
    if (progress === null) continue;
    progress.violation = loaded.findViolation(message);
    if (progress.violation !== "") return;
  }
}

/**
 * Writes chunks as fast as the reader of the output takes them. Opens the output
 * when the first arrives. If the reader has exited, as `head` does, this ends
 * the call.
 */
async function writeAll(
  chunks: AsyncIterable<string | Uint8Array>,
  file: AbsolutePath | null,
  interrupt: AbortController,
  system: System,
): Promise<void> {
  const failures: unknown[] = [];
  const open = (): LongOutput => {
    // Creates missing folders.
    if (file !== null) system.writeText(file, "");
    const output = system.openOutput(file);
    void output.failed.then((error) => {
      failures.push(error);
      interrupt.abort();
    });
    return output;
  };
  let output: LongOutput | null = null;
  try {
    for await (const chunk of chunks) {
      output ??= open();
      await output.write(chunk);
    }
    output ??= open();
    await output.close();
  } catch (error) {
    const [failure = null] = failures;
    if (failure === null) {
      await output?.close();
      throw error;
    }
    if (file === null && codeOf(failure) === "EPIPE") return;
    throw new FileError(file ?? "standard output", "write", failure);
  }
}

/** Prints why a call failed. Returns the exit code. */
function explain(
  { envelope, kind, lines }: CallFailure,
  { format }: CallFlags,
  system: System,
): number {
  if (kind === "aborted") return exitCodes.interrupted;
  if (format === "json") {
    system.stdout.write(`${printResponse(envelope, "")}\n`);
  } else {
    system.stderr.write(`error: ${lines.join("\n")}\n`);
  }
  return kind === "error" ? exitCodes.failure : exitCodes.noResponse;
}
