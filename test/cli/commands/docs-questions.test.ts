import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.js';

/** Newcomers' questions in their own words, with the pages that answer them. */
const questions: readonly [question: string, ...pages: string[]][] = [
  ['how do i make my first plugin', 'guides/first-integration'],
  ['port is already taken when i start', 'guides/troubleshooting', 'guides/running'],
  ['where do i put my api key', 'guides/secrets'],
  ['log in with a github account', 'guides/oauth'],
  ['access token expired, how to renew it', 'guides/oauth'],
  ['show a dropdown with options', 'guides/blocks', 'reference/elements'],
  ['open a popup dialog from a button', 'guides/blocks', 'reference/elements'],
  ['paste a link and get a preview card', 'guides/blocks'],
  ['let users choose a setting when they install', 'guides/configuration'],
  ['my handler runs twice for the same event', 'guides/events', 'guides/receiving-webhooks'],
  ['do slow work in the background after responding', 'guides/events'],
  ['check the signature of an incoming request in python', 'guides/receiving-webhooks'],
  ['webhook failed, when is it sent again', 'guides/sending-webhooks', 'reference/protocol'],
  ['set a breakpoint in vs code', 'guides/debugging'],
  ['see why a request failed', 'guides/debugging', 'guides/troubleshooting'],
  ['write a unit test with vitest', 'guides/testing'],
  ['fake the response of an external api in tests', 'guides/testing'],
  ['run the checks on github actions', 'guides/ci'],
  ['check before every git commit', 'guides/ci'],
  ['submit my integration to the marketplace', 'guides/publishing'],
  ['several integrations in one repo with pnpm', 'guides/monorepos'],
  ['open the console from docker', 'guides/containers'],
  ['can my script use node modules like fs', 'guides/runtimes', 'problems/bundle'],
  ['preview my block on a page with my own markdown files', 'guides/site'],
  ['send webhooks from several servers with postgres', 'guides/scaling'],
  ['record a bug and replay it in ci', 'guides/recordings'],
  ['what breaks if i release this new manifest', 'guides/publishing', 'problems/publish'],
  ['give my coding agent access to logs', 'guides/agents'],
  ['simulate a slow api that returns 503', 'guides/testing'],
  ['schedule something to run in an hour', 'guides/events', 'guides/data-and-tasks'],
  ['error unknown-key in manifest', 'problems/manifest'],
  ['rotate the webhook secret', 'guides/sending-webhooks'],
  ['test a block in a real browser', 'guides/testing', 'guides/site'],
  ['change port of the dev server', 'guides/running'],
  ['resend failed webhooks after an outage', 'guides/scaling', 'guides/sending-webhooks'],
  ['recurring task', 'guides/data-and-tasks', 'guides/events'],
  ['signature rejected 401', 'guides/receiving-webhooks', 'guides/troubleshooting', 'guides/data-and-tasks'],
  ['refresh a block', 'guides/data-and-tasks', 'guides/blocks'],
  ['store data', 'guides/data-and-tasks'],
  ['where do i save state between calls', 'guides/data-and-tasks'],
  ['verify a stripe or github signature', 'guides/data-and-tasks', 'guides/receiving-webhooks'],
  ['retry a failed task', 'guides/data-and-tasks', 'guides/events'],
  [
    'what is the size limit of a configuration',
    'guides/data-and-tasks',
    'guides/configuration',
    'guides/runtimes',
  ],
  ['two requests change the same data at once', 'guides/data-and-tasks'],
  ['update the page when a webhook arrives', 'guides/data-and-tasks', 'guides/receiving-webhooks'],
  ['validate a text field in a form', 'guides/blocks'],
  ['required setting missing, installation stays pending', 'guides/configuration', 'guides/troubleshooting'],
  ['process.env is undefined', 'guides/secrets', 'guides/runtimes', 'problems/bundle'],
  ['read a secret in my handler', 'guides/secrets'],
  ['use a different api key in staging', 'guides/secrets'],
  ['test with a fake clock', 'guides/testing'],
  ['mock fetch', 'guides/testing'],
  ['exit code in ci', 'guides/ci', 'reference/json'],
  ['debug a failing webhook delivery', 'guides/sending-webhooks', 'guides/debugging'],
  ['which scopes do i need', 'guides/events', 'reference/manifest', 'guides/publishing', 'problems/publish'],
  ['time limit of a call', 'guides/runtimes'],
  ['parse the json output with jq', 'reference/json'],
  ['share code between integrations', 'guides/monorepos'],
  ['convert an existing integration', 'guides/moving'],
];

test.each(questions)('lists a page that answers "%s" in the first three', async (question, ...pages) => {
  const { code, stdout } = await runCli(['docs', ...question.split(' '), '--json']);
  expect(code).toBe(0);
  const { best, more } = JSON.parse(stdout) as { best: { page: string }; more: { page: string }[] };
  const first = [best, ...more].slice(0, 3).map(({ page }) => page);
  expect(
    first.filter((page) => pages.includes(page)),
    `found ${first.join(', ')}`,
  ).not.toEqual([]);
});

test('the test asks 59 questions', () => {
  expect(new Set(questions.map(([question]) => question)).size).toBe(59);
});

test.each(['unknown-key', 'manifest/unknown-key'])('prints the section for %s first', async (code) => {
  const { stdout } = await runCli(['docs', code, '--json']);
  const { best } = JSON.parse(stdout) as { best: { page: string; heading: string } };
  expect(best).toMatchObject({ page: 'problems/manifest', heading: 'manifest/unknown-key' });
});
