export interface DevOptions {
  port?: number;
  consolePort?: number;
  open?: boolean;
  fresh?: boolean;
  state: 'disk' | 'memory';
  envFile?: string;
  timeout?: number;
  inspect?: number | boolean;
  install: boolean;
  scopes: 'warn' | 'enforce';
  oauth: 'approve' | 'deny' | 'ask';
  oauthProvider: 'local' | 'real';
  publicUrl?: string;
  readyFile?: string;
  exec?: string;
}
