import { expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';

const placeholders = (name: string, title: string, description = 'Lists what is left to do.') =>
  loadManifest({
    file: '/none/platform-manifest.yaml',
    text: `name: ${name}\ntitle: ${title}\ndescription: ${description}\norganization: acme\nvisibility: private\nscopes: []\n`,
    env: {},
  }).diagnostics.filter(({ code }) => code === 'manifest/placeholder-text');

test.each([
  ['todo', 'Todo'],
  ['to-do', 'To-do'],
  ['placeholder', 'Placeholder'],
])('accepts the title of the integration %s', (name, title) => {
  expect(placeholders(name, title)).toEqual([]);
});

test('reports a placeholder title of an integration with a different name', () => {
  expect(placeholders('weather', 'Todo')).toHaveLength(1);
});

test('reports a description that only repeats a placeholder name', () => {
  expect(placeholders('todo', 'Todo', 'Todo')).toHaveLength(1);
});

test.each([
  '<b>Fast</b> search',
  '...and more',
  'Your integration with Slack',
  'TODO lists for every page',
  'Todo lists',
  'Your text, translated',
])('accepts the description %s', (text) => {
  expect(placeholders('weather', 'Weather', JSON.stringify(text))).toEqual([]);
});

test.each([
  '<your title here>, please',
  '<description>',
  'TODO: describe it',
  'TODO',
  'Your description here',
  'Your description.',
  '...',
  'TBD',
])('reports the description %s', (text) => {
  expect(placeholders('weather', 'Weather', JSON.stringify(text))).toHaveLength(1);
});
