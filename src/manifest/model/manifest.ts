import type { Profile } from '../../profiles/profile.js';
import type { Integration } from '../../protocol/integration.js';

export interface Manifest {
  /** Absolute path. */
  file: string;
  /** The folder that the manifest's paths are relative to. */
  folder: string;
  text: string;
  integration: Integration;
  secrets: DeclaredSecret[];
  /** Set if the project was made for another platform. */
  profile?: Profile;
}

export interface DeclaredSecret {
  /** The name that the script uses to read the secret. */
  name: string;
  variable: string;
  isSet: boolean;
  /** The reference to a vault that the manifest has instead of a variable. */
  vault?: string;
}
