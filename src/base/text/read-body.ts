/** Returns bytes as text, or as base64 if they are not UTF-8. */
export function readBody(bytes: Uint8Array): { encoding: 'utf-8' | 'base64'; content: string } {
  try {
    const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { encoding: 'utf-8', content };
  } catch {
    let binary = '';
    for (const byte of bytes) binary += String.fromCodePoint(byte);
    return { encoding: 'base64', content: btoa(binary) };
  }
}
