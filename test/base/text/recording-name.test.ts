import { expect, it } from 'vitest';
import { recordingName } from '../../../src/base/text/recording-name.js';

const id = 'call_1k8fp9fiqd5u';
const request = (method: string, url: string) => ({ id, type: 'fetch', request: { method, url } });

it.each([
  [request('POST', 'http://localhost:1/v1/integrations/blank/hook?a=1'), 'post-hook-fiqd5u'],
  [request('GET', 'http://localhost:1/v1/integrations/blank'), 'get-fiqd5u'],
  [request('GET', 'http://localhost:1/v1/integrations/blank/a%20b/C.d'), 'get-a-b-c-d-fiqd5u'],
  [request('GET', `http://localhost:1/${'long/'.repeat(40)}`), `get${'-long'.repeat(11)}-l-fiqd5u`],
  [{ id, type: 'ui_render', part: 'poll' }, 'ui-render-poll'],
  [{ id, type: 'installation_setup' }, 'installation-setup-fiqd5u'],
])('proposes a name for a recording of %j %s', (call, name) => expect(recordingName(call)).toBe(name));
