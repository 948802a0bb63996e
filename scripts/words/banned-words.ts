export interface BannedWord {
  word: RegExp;
  better: string;
  /** Paths that use the word in another sense. */
  except?: readonly string[];
}

/** Words with a plainer or exact term. docs/concepts.md has the terms. */
export const bannedWords: readonly BannedWord[] = [
  { word: /(?<![-\w])(?!auto )([a-z]+) \1(?![-\w])/, better: 'the word once' },
  { word: /\bmend(s|ed|ing)?\b/i, better: 'fix' },
  {
    word: /\banswer(s|ed|ing)?\b/i,
    better: 'respond, response, return',
    except: [
      // A key of platform.dev.yaml.
      'schemas/platform-dev.schema.json',
      'src/scaffold',
      'src/cli/context/io.ts',
      'src/testing/cli-io.ts',
      // An event of the AI stream.
      'src/emulator/management/management-organizations.ts',
      // A key of recorded requests.
      'schemas/recording.schema.json',
      'src/sandbox/replay',
      'src/cli/commands/replay/replay.ts',
      // A kind of result.
      'scripts/reference/dev-lines.md',
      // A comment of a visitor.
      'src/protocol/sample-events.ts',
      // A column.
      'src/store/deliveries',
      'src/store/sqlite/upgrade-database.ts',
    ],
  },
  { word: /\bpictures?\b/i, better: 'image', except: ['scripts/pictures'] },
  { word: /\bmistakes?\b/i, better: 'problem, error' },
  { word: /\bformer\b/i, better: 'previous, earlier' },
  { word: /\bpresent (code|version|one)\b/i, better: 'current' },
  {
    word: /\b(draw|draws|drawn|drew)\b/i,
    better: 'render',
    except: ['src/console', 'src/runtime/jsx', 'src/terminal'],
  },
  { word: /\b(resident|succession|restless|inlet|surroundings)s?\b/i, better: 'the technical name' },
  {
    word: /\bThere is no (file|folder|such|event|rule|template)\b/,
    better: 'File not found: …, Unknown event: …',
  },
];

/** In comments of the code these are often the shortest right words. */
export const proseHabits: readonly BannedWord[] = [
  { word: /\brefus(e|es|ed|ing)\b(?! connection)/i, better: 'reject, block, not allow, fail' },
  { word: /\b(a text|texts)\b/i, better: 'message, string, label' },
];

/** Rooms, pages and files whose texts hold to the list. */
export const cleanPaths: readonly string[] = [
  'deploy',
  'schemas',
  'scripts',
  'src/base',
  'src/bundle',
  'src/cli',
  'src/console',
  'src/dev',
  'src/contract',
  'src/emulator',
  'src/protocol',
  'src/diagnostics',
  'src/manifest',
  'src/publish',
  'src/runtime',
  'src/sandbox',
  'src/scaffold',
  'src/store',
  'src/terminal',
  'src/testing',
  'src/webhooks',
  'templates',
  'docs/problems',
];
