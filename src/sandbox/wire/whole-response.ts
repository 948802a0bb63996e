/**
 * A response whose complete body is in memory. The body becomes a stream only if it is read as one. Reading 1 KiB
 * takes about 50 µs from a plain Response's body, 4 µs from this class, and 2 µs from plain data. Plain data would
 * save another 2 µs, but every function that handles a request would then have to support a second response type.
 */
class WholeResponse extends Response {
  readonly whole: Uint8Array<ArrayBuffer>;
  #streamed: Response | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.whole = bytes;
  }

  #stream(): Response {
    const { status, statusText, headers } = this;
    return (this.#streamed ??= new Response(this.whole, { status, statusText, headers }));
  }

  override get body(): Response['body'] {
    return this.#stream().body;
  }
  override get bodyUsed(): boolean {
    return this.#streamed?.bodyUsed ?? false;
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#stream().arrayBuffer();
  }
  override blob(): Promise<Blob> {
    return this.#stream().blob();
  }
  override formData(): Promise<FormData> {
    return this.#stream().formData();
  }
  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }
  override json(): Promise<unknown> {
    return this.#stream().json();
  }
  override text(): Promise<string> {
    return this.#stream().text();
  }
  override clone(): Response {
    return this.#stream().clone();
  }
}

export const createWholeResponse = (bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response =>
  new WholeResponse(bytes, init);

/** Returns the body of a response that arrived in one piece, without consuming the response. */
export const wholeBody = (response: Response): Uint8Array<ArrayBuffer> | undefined =>
  response instanceof WholeResponse ? response.whole : undefined;
