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
  throw new Error(`to do: call ${baseUrl}`);
}
