import { WholeBody } from './whole-body.js';

const NativeResponse = Response;

/** A response whose body is at hand. */
class WholeResponse extends Response {
  readonly #whole: WholeBody;

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(null, init);
    this.#whole = new WholeBody(bytes, () => this.headers.get('content-type'));
  }

  static bytesOf(response: Response): Uint8Array<ArrayBuffer> | undefined {
    return response instanceof WholeResponse ? response.#whole.untouched : undefined;
  }

  override get body(): Response['body'] {
    return this.#whole.streamed().body;
  }
  override get bodyUsed(): boolean {
    return this.#whole.used;
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole.arrayBuffer();
  }
  override blob(): Promise<Blob> {
    return this.#whole.streamed().blob();
  }
  override formData(): Promise<FormData> {
    return this.#whole.streamed().formData();
  }
  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#whole.arrayBuffer());
  }
  override async json(): Promise<unknown> {
    return JSON.parse(await this.#whole.text());
  }
  override text(): Promise<string> {
    return this.#whole.text();
  }
  override clone(): Response {
    return new NativeResponse(this.#whole.streamed().clone().body, this);
  }
}

export const createWholeResponse = (bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response =>
  new WholeResponse(bytes, init);

/** The body of an answer that came in one piece: to look at, without reading it from the response. */
export const wholeBody = WholeResponse.bytesOf;
