import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { linkPackage } from '../support/linked-package.js';
import { runWebhooks } from '../support/run-platform.js';
import { startWorkerProcess, stopWorkers } from '../support/worker-process.js';
import { until } from './fleet.js';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const platform = fileURLToPath(new URL('../../bin/platform-webhooks.js', import.meta.url));

interface Service {
  entrypoint?: string[];
  command?: string[];
  environment: Record<string, string>;
}

const readCompose = (): { services: Record<string, Service> } =>
  parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };

test('the services in the Compose file work together', async () => {
  const { services } = readCompose();
  const folder = linkPackage();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of ['receiver.js', 'producer.js']) copyFileSync(join(deploy, name), join(folder, name));
  const printed = new Map<string, string>();

  const { code } = await runWebhooks(services['migrate']?.command ?? [], {
    env: { PLATFORM_DATABASE_URL: inject('postgres') },
  });
  expect(code).toBe(0);

  // Replaces what is specific to containers, such as host names and ports.
  const here = (text: string): string =>
    text.replace('0.0.0.0:9464', '127.0.0.1:0').replace('http://receiver:3000/', 'http://127.0.0.1:34871/');
  for (const [name, { entrypoint, command = [], environment }] of Object.entries(services)) {
    if (name === 'database' || name === 'migrate') continue;
    const [, ...words] = [...(entrypoint ?? ['platform', ...command])].map(here);
    const args = entrypoint ? words : [platform, ...words];
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...environment, PLATFORM_DATABASE_URL: inject('postgres'), PORT: '34871' },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream
        .setEncoding('utf8')
        .on('data', (text: string) => printed.set(name, `${printed.get(name) ?? ''}${text}`));
    }
    onTestFinished(() => void child.kill('SIGKILL'));
  }
  const events = (): number => (printed.get('receiver') ?? '').split('site_view').length - 1;
  await until(20_000, 'three events', async () => events() >= 3).catch((error: Error) => {
    throw new Error(`${error.message}\n${JSON.stringify(Object.fromEntries(printed), undefined, 2)}`);
  });
  expect(printed.get('worker-1')).toContain('Worker worker-1 is delivering from');
  expect(printed.get('worker-2')).toContain('Worker worker-2 is delivering from');
});

test('the Compose file gives workers enough time to stop', () => {
  // Longer than the request time limit.
  for (const name of ['worker-1', 'worker-2'])
    expect(readCompose().services[name]).toMatchObject({ stop_grace_period: '30s' });
});

interface Manifest {
  kind: string;
  spec: {
    strategy?: object;
    template?: {
      spec: {
        terminationGracePeriodSeconds?: number;
        containers: { args: string[]; livenessProbe?: Probe; readinessProbe?: Probe }[];
      };
    };
  };
}
interface Probe {
  httpGet: { path: string };
}

test('the commands and probes in the Kubernetes manifests work', async () => {
  const text = readFileSync(join(deploy, 'kubernetes.yaml'), 'utf8');
  const manifests = parseAllDocuments(text).map((one) => {
    expect(one.errors).toEqual([]);
    return one.toJS() as Manifest;
  });
  expect(manifests.map(({ kind }) => kind)).toEqual(['Job', 'Deployment', 'PodDisruptionBudget']);
  const [job, deployment] = manifests.map(({ spec }) => spec.template?.spec);
  const migrated = await runWebhooks([...(job?.containers[0]?.args ?? []), '--schema', 'kubernetes'], {
    env: { PLATFORM_DATABASE_URL: inject('postgres') },
  });
  expect([migrated.code, migrated.stderr]).toEqual([0, '']);

  const { args = [], livenessProbe, readinessProbe } = deployment?.containers[0] ?? {};
  expect(deployment?.terminationGracePeriodSeconds).toBeGreaterThan(20);
  const address = args.map((word) => word.replace('0.0.0.0:9464', '127.0.0.1:0'));
  const worker = startWorkerProcess({ url: inject('postgres'), schema: 'kubernetes' }, address.slice(1));
  onTestFinished(() => stopWorkers([worker]));
  const { metrics } = await worker.event('ready');
  for (const probe of [livenessProbe, readinessProbe]) {
    expect((await fetch(`${String(metrics)}${probe?.httpGet.path}`)).status).toBe(200);
  }
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(143);
});
