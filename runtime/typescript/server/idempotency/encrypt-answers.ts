import { decodeBytes, encodeBytes } from "../../wire/bytes.js";
import { type AnswerStore, storedId } from "./answer-store.js";

const empty = /* @__PURE__ */ new Uint8Array();

/**
 * Encrypts answers before a store keeps them, e.g. because they contain secrets.
 *
 * Input: a key for AES-GCM.
 * Errors: a repeated call fails with an internal error if another key encrypted
 * its answer.
 */
export function encryptAnswers(
  store: AnswerStore,
  key: CryptoKey,
): AnswerStore {
  const { looksUpFormerIds = false } = store;
  return {
    looksUpFormerIds,
    async once(call, run) {
      // The ID is authenticated, so that answers cannot be exchanged.
      const algorithm = (
        iv: Uint8Array<ArrayBuffer>,
        id = call.id,
      ): AesGcmParams => ({
        name: "AES-GCM",
        iv,
        additionalData: new TextEncoder().encode(id),
      });
      const outcome = await store.once(call, async () => {
        const answer = await run();
        if (answer === null) return null;
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const plain = new TextEncoder().encode(answer.text);
        const sealed = await crypto.subtle.encrypt(algorithm(iv), key, plain);
        const parts = [iv, new Uint8Array(sealed)].map(encodeBytes);
        return { ...answer, text: parts.join(" ") };
      });
      if (outcome.kind !== "stored") return outcome;
      const [iv = empty, sealed = empty] = outcome.text
        .split(" ")
        .map((part) => Uint8Array.from(decodeBytes(part)));
      const opened = algorithm(iv, storedId(call, outcome));
      const plain = await crypto.subtle.decrypt(opened, key, sealed);
      return { ...outcome, text: new TextDecoder().decode(plain) };
    },
  };
}
