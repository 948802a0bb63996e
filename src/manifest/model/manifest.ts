import type { Integration } from '../../protocol/integration.js';

/** A valid manifest. */
export interface Manifest {
  /** Absolute path. */
  file: string;
  /** The folder to which the manifest's paths are relative. */
  folder: string;
  text: string;
  integration: Integration;
  secrets: DeclaredSecret[];
}

export interface DeclaredSecret {
  /** The name under which the script reads the secret. */
  name: string;
  /** The environment variable that contains the value. */
  variable: string;
  isSet: boolean;
}
