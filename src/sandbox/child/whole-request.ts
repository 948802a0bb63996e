import { WholeBody } from '../whole-body.js';

const NativeRequest = Request;

/** A request whose body is at hand. */
export class WholeRequest extends Request {
  readonly #whole: WholeBody;

  /** Methods that may have no body are not for it. */
  constructor(input: RequestInfo | URL, init: RequestInit, bytes: Uint8Array<ArrayBuffer>) {
    super(input, { ...init, body: null });
    this.#whole = new WholeBody(bytes, () => this.headers.get('content-type'));
  }

  /** The same for those who look inside, which only Node's own will bear. */
  streamed(): Request {
    return new NativeRequest(this, { body: this.body, duplex: 'half' } as RequestInit);
  }

  override get body(): Request['body'] {
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
  override clone(): Request {
    const { body } = this.#whole.streamed().clone();
    return new NativeRequest(this, { body, duplex: 'half' } as RequestInit);
  }
}
