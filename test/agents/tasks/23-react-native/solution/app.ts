import { fetch as expoFetch } from "expo/fetch";
import { isRpcError } from "@ridlkit/runtime/errors";
import { retry } from "@ridlkit/runtime/interceptors";
import { createPhotosClient } from "./generated/client";

/** A photo that the image picker has returned. */
export interface PickedPhoto {
  /** Such as `file:///data/cache/1.jpg`. */
  readonly uri: string;
  readonly fileName: string;
  readonly mimeType: string;
}

/** What the screens of the app call. */
export interface App {
  /** Uploads a photo. Returns its size. */
  addPhoto(photo: PickedPhoto): Promise<number>;
  /** Orders prints, once for each draft. Returns the order, or null. */
  orderPrints(
    draft: string,
    name: string,
    count: number,
  ): Promise<number | null>;
  /** Passes on the states of an order, and their times. */
  watchOrder(
    order: number,
    onState: (state: string, at: Date) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Creates the functions, which call the server at this address. */
export function createApp(baseUrl: string): App {
  const photos = createPhotosClient({
    baseUrl,
    fetch: (url, init) => expoFetch(url, init),
    use: [retry({ attempts: 3, backoffMs: 10 })],
  });
  return {
    async addPhoto({ uri, fileName }) {
      const content = await readBlob(uri);
      return (await photos.addPhoto({ name: fileName, content })).bytes;
    },

    async orderPrints(draft, name, count) {
      const result = await photos.orderPrints.result(
        { name, count },
        { idempotencyKey: draft },
      );
      if (result.ok) return result.value.order;
      if (isRpcError(result.error, "NoPaper")) return null;
      throw result.error;
    },

    async watchOrder(order, onState, signal) {
      try {
        const states = photos.watchOrder({ order }, { signal });
        for await (const { change } of states) onState(change.state, change.at);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

/** Reads a file of the device. */
function readBlob(uri: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new Error(`cannot read ${uri}`));
    request.responseType = "blob";
    request.onload = () =>
      request.status < 400 ? resolve(request.response) : fail();
    request.onerror = fail;
    request.open("GET", uri);
    request.send();
  });
}
