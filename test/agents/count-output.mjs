// Loaded into each Node process of an agent: adds up what the `platform` command prints.
import { appendFileSync } from 'node:fs';

const file = process.env['PLATFORM_OUTPUT_BYTES'];
if (file !== undefined && /[\\/](?:platform|platform\.js)$/.test(process.argv[1] ?? '')) {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk, ...more) => {
      appendFileSync(file, `${Buffer.byteLength(chunk)}\n`);
      return write(chunk, ...more);
    };
  }
}
