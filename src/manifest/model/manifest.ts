import type { Integration } from '../../protocol/integration.js';

/** A manifest that can be worked with. */
export interface Manifest {
  /** Absolute path. */
  file: string;
  /** The folder that the manifest's paths are relative to. */
  folder: string;
  text: string;
  integration: Integration;
  secrets: DeclaredSecret[];
}

export interface DeclaredSecret {
  /** As the script knows it. */
  name: string;
  /** The environment variable that holds it. */
  variable: string;
  isSet: boolean;
}
