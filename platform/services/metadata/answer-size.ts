import { stringifyJson } from "@ridlkit/runtime/json";

import { QueryFailedError } from "../../../generated/errors.js";
import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import { maxDocumentBytes } from "./fetch-document.js";

/**
 * The maximum length of a response, because nothing else can run while it is
 * printed.
 */
const maxAnswerLength = 8 * 1024 * 1024;

/** The number of tokens whose documents certainly fit into a response. */
export const tokensThatFit = maxAnswerLength / maxDocumentBytes;

/** The size of a response to a caller. */
export interface AnswerSize {
  /** Adds tokens. Errors: `QueryFailed` if the response is too large. */
  add(tokens: readonly TokenMetadata[]): Promise<void>;
}

/** Creates the size of an empty response. */
export function createAnswerSize(): AnswerSize {
  let length = 0;
  const refuseLength = (): void => {
    if (length <= maxAnswerLength) return;
    const cause = "the response is too large: request fewer tokens";
    throw new QueryFailedError({ cause });
  };
  return {
    add: async (tokens) => {
      refuseLength();
      for (const token of tokens) {
        await giveWay();
        length += stringifyJson(token).length;
        refuseLength();
      }
    },
  };
}
