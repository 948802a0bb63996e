const NativeResponse = Response;
const utf8 = new TextDecoder();

/** A body at hand. It becomes a stream, which is not cheap, when somebody wants one. */
export class WholeBody {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #type: () => string | null;
  #read = false;
  #streamed: Response | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>, type: () => string | null) {
    this.#bytes = bytes;
    this.#type = type;
  }

  /** The bytes, to look at, unless somebody has begun to read them. */
  get untouched(): Uint8Array<ArrayBuffer> | undefined {
    return this.#read || this.#streamed ? undefined : this.#bytes;
  }

  /** Node's own way to have these bytes. */
  streamed(): Response {
    if (this.#streamed) return this.#streamed;
    const type = this.#type();
    this.#streamed = new NativeResponse(
      this.#bytes,
      type === null ? {} : { headers: { 'content-type': type } },
    );
    if (this.#read) void this.#streamed.arrayBuffer();
    return this.#streamed;
  }

  get used(): boolean {
    return this.#streamed?.bodyUsed ?? this.#read;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { untouched } = this;
    if (!untouched) return this.streamed().arrayBuffer();
    this.#read = true;
    const { buffer, byteOffset, length } = untouched;
    return buffer.slice(byteOffset, byteOffset + length);
  }

  async text(): Promise<string> {
    const { untouched } = this;
    if (!untouched) return this.streamed().text();
    this.#read = true;
    return utf8.decode(untouched);
  }
}
