import { extname } from 'node:path';
import type { Loader } from 'esbuild';

export interface SourceFile {
  file: string;
  text: string;
}

const loaders: Record<string, Loader> = {
  '.js': 'jsx',
  '.jsx': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
};

/** The loader for a code file. Returns undefined for files imported as text or data. */
export const codeLoader = (file: string): Loader | undefined =>
  file.includes('.raw.') ? undefined : loaders[extname(file)];
