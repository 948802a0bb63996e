import { databaseDocuments } from './database-documents.js';
import { recordingDocuments } from './recording-documents.js';

/** A field: its meaning, and its type where the sample does not have it. A field with a type is optional unless marked. */
type FieldText = string | readonly [type: string, meaning: string, always?: 'always'];

export interface JsonDocument {
  /** What a test runs, in this order in one session. `{call}`, `{endpoint}` and `{delivery}` are ids of earlier outputs. */
  command: string;
  about?: string;
  fields: Readonly<Record<string, FieldText>>;
  /** The reason why the test does not run the command. */
  notRun?: string;
}

const like = (what: string, name: string): string => `${what}, as in the response to \`${name}\``;

const call = like('the calls', 'GET /calls');
const installations = { installations: like('the installations that changed', 'GET /installations') };
const endpoints = { endpoints: like('the webhook endpoint', 'GET /webhooks') };
const delivery = like('the webhook delivery', 'GET /deliveries');
const report = {
  ok: 'whether no errors were found',
  files: 'the files that were checked',
  summary: 'the number of `errors`, `warnings` and `infos`',
  diagnostics: 'the [problems](#problems)',
};
const verdict = '`severity`, `reason`, `at` and `likelyCause` describe the problem with its call';
/** The fields of a call's problem, which several documents have. The page describes them once. */
export const verdictOfCall: JsonDocument['fields'] = {
  severity: '`error`, `warning` or `none`, regardless of the status',
  reason: ['string', 'the problem, in one line'],
  at: ['object', 'the line in your code: `file`, `line` and `column`'],
  likelyCause: ['string', 'the likely cause of the error, and how to fix it'],
  next: ['string', 'the command that shows the call, if it has a problem'],
};
const clockFields = {
  now: "the platform's time",
  ahead: "by how many milliseconds it is ahead of the machine's time",
};
const files = "the project's files, each with its `path` and `sha256`";

/** The outputs with `--json` that are one document, by command. */
export const jsonDocuments: readonly JsonDocument[] = [
  {
    command: 'init --list',
    fields: { templates: 'the templates, each with `name` and `summary`' },
  },
  {
    command: 'init ../other --template block --organization acme --dry-run',
    fields: {
      folder: 'the project folder',
      template: 'the name of the template',
      files,
      notWritten: [
        'list of strings',
        'files that were not created, because they work only at the root of a repository',
      ],
      next: 'the commands to run next',
      todo: 'what to do before publishing',
    },
  },
  {
    command: 'init ../moved --from ../elsewhere --organization acme --dry-run',
    fields: {
      folder: 'the project folder',
      files,
      diff: 'all changes as a unified diff',
      decisions:
        'the decisions left for you to make, each with a `message`, and with `file` and `line` if it concerns a file',
      types: [
        'object',
        'the `command` that checks the types, and with `--install` also whether the check `passed`',
      ],
      next: 'the commands to run next',
      validate: 'the report of `platform validate` on the converted manifest',
    },
  },
  {
    command: 'add component note --dry-run',
    fields: {
      changes: 'the changed files, each with `path` and `change`: `created` or `changed`',
      byHand: 'changes that you need to make yourself',
      diff: 'all changes as a unified diff',
    },
  },
  {
    command: 'upgrade',
    fields: {
      changes: 'the changed files, as in `add`',
      byHand: 'changes that you need to make yourself, each with its file and line',
      changed: 'why the other lines change, each with its file and line',
      diff: 'all changes as a unified diff',
    },
  },
  {
    command: 'types --check',
    fields: {
      file: 'the path of the file that contains the types',
      fits: 'whether the file already matches the manifest',
      written: 'whether the file was written',
    },
  },
  {
    command: 'validate',
    about: 'With `--watch`, each check is a line with `type: "report"`.',
    fields: {
      ...report,
      fixed: ['list of objects', 'with `--fix`, the problems that were fixed'],
      type: ['`"report"`', 'set only with `--watch`'],
      next: ['string', 'the command that fixes or explains the first problem'],
    },
  },
  {
    command: 'site check',
    fields: { ...report, next: ['string', 'the command that explains the first problem'] },
  },
  {
    command: 'site build ../built',
    fields: { ...report, next: ['string', 'the command that explains the first problem'] },
  },
  {
    command: 'publish-check',
    about:
      'If you pass several paths, the only field is `projects`, a list of such documents, each with its `project`.',
    fields: {
      ...report,
      checks: 'the checks',
      'checks[].id': "the check's code",
      'checks[].verdict': '`pass`, `warn`, `fail`, `review` or `skipped`',
      'checks[].evidence': 'what was found',
      'checks[].help': ['string', 'how to fix it'],
      next: ['string', 'the command that fixes or explains the first problem'],
      packed: ['string', 'with `--pack`, the file that was written'],
      projects: ['list of objects', 'if you pass several paths, the result for each of them'],
    },
  },
  {
    command: 'explain manifest/unknown-key',
    fields: { code: 'the problem code', page: 'the documentation page for the code, in Markdown' },
  },
  {
    command: 'docs refresh a token',
    about: 'If you pass a page, or no arguments, the only fields are `page`, `title` and `text`.',
    fields: {
      best: 'the best match: `page`, `title`, and its best section as `heading` and `text`',
      more: 'the next five pages, each with `page` and `title`',
      next: 'the command that prints the page',
    },
  },
  {
    command: 'agent setup --dry-run',
    fields: {
      files:
        'the files that would change, each with its `path` and its `change`: `create`, `edit` or `remove`',
      written: 'whether the files were written',
      next: ['string', 'the command to run next, if anything was set up'],
    },
  },
  { command: 'rules', fields: { rules: 'the rules, each with `code`, `severity` and `summary`' } },
  {
    command: 'schema dev',
    fields: { name: 'the name of the schema', schema: 'the JSON Schema' },
  },
  {
    command: 'completion bash',
    fields: { shell: 'the shell', script: 'the completion script for the shell' },
  },
  {
    command: 'open --print',
    about: 'Without `--print`, the only field is `opened`.',
    fields: {
      link: "the link, with this session's key",
      opened: ['string', 'the URL that the browser opened, without the key'],
    },
  },
  {
    command: 'install --link',
    about: 'Without `--link`, the only field is `installations`.',
    fields: {
      url: 'the URL that installs the integration in another organization',
      link: 'the secret part of the install URL',
      installations: ['list of objects', installations.installations],
    },
  },
  { command: 'pause', fields: installations },
  { command: 'resume', fields: installations },
  {
    command: 'config set greeting=Hello',
    about: '`config unset` prints the same document.',
    fields: {
      target: 'the `installation`, and the `site` or `space` of the configuration',
      status: '`active`, `pending` or `paused`',
      section: ['object', 'the part of the manifest that declares the properties'],
      configuration: 'the values of all properties, including defaults. Secrets are masked',
    },
  },
  {
    command: 'config get greeting',
    about: 'If no name is given, the output is the same as for `config set`.',
    fields: {
      name: 'the property',
      value: [
        'any value',
        'the value of the property. If it is not set, the command prints the error `not-set`',
        'always',
      ],
    },
  },
  {
    command: 'webhook add --url {receiver} --event space_content_updated --space space_local',
    about:
      '`webhook enable`, `disable`, `rotate` and `remove` print the same document. Only `add`, `rotate` and `list <endpoint>` include `secret`.',
    fields: endpoints,
  },
  { command: 'webhook list', fields: { endpoints: like('the webhook endpoints', 'GET /webhooks') } },
  {
    command: 'trigger space_content_updated --wait',
    about: 'With `--from-call` and a recorded request, the only field is `requests`.',
    fields: {
      events: `${like('the result of each event', 'POST /events')}; ${verdict}`,
      deliveries: 'with `--wait`, the resulting webhook deliveries',
      requests: ['list of objects', `${like('the result of each request', 'POST /requests')}; ${verdict}`],
    },
  },
  {
    command: 'render counter',
    fields: {
      type: '`element`, or `complete` if the component has finished',
      element: 'the markup',
      props: 'the props after the action',
      state: 'the state after the action',
      call: 'the id of the call',
      returnValue: ['any value', 'the value returned by a component that has finished'],
      warnings: ['list of objects', 'unknown elements and properties in the markup'],
      ...verdictOfCall,
    },
  },
  {
    command: 'logs --limit 2',
    about: 'With `--follow`, each call is a line. See [Streams](#streams).',
    fields: {
      items: `${call}; \`lines\` contains their logs, except with \`--calls\``,
      next: ['string', 'the command that shows the newest call with an error or a warning'],
    },
  },
  {
    command: 'inspect {call}',
    fields: {
      call: like('the call', 'GET /calls/{call}'),
      requestBody: ['object', 'for a request, its body as `{ encoding, content }`'],
      responseBody: 'the response body as `{ encoding, content }`',
      connection: ['object', 'the OAuth connection that the call belongs to, step by step'],
      next: ['string', 'the command that repeats the call with the current code, if it has a problem'],
    },
  },
  {
    command: 'replay {call}',
    fields: {
      call: 'the id of the new call',
      before: 'the recorded response: `version`, `status`, `headers` and `body`',
      after: 'the response of the current code',
      same: 'whether both responses are the same',
      masked: 'whether secrets in the request were masked when it was sent again',
      failure: ['object', 'the error that the current code throws'],
      ...verdictOfCall,
    },
  },
  ...recordingDocuments,
  { command: 'webhook deliveries', fields: { items: like('the webhook deliveries', 'GET /deliveries') } },
  {
    command: 'inspect {delivery}',
    fields: {
      delivery,
      call: 'the id of the call that caused it',
      attempts: 'the requests, each with its headers and result',
      body: 'the request body, as `{ encoding, content }`',
    },
  },
  {
    command: 'webhook resend {delivery}',
    about:
      'With `--endpoint`, `--state`, `--since` or `--until`, the only fields are `resent` and `skipped`.',
    fields: {
      delivery,
      resent: ['number', 'number of deliveries that are sent again'],
      skipped: [
        'number',
        'number of deliveries that were skipped, because their endpoint is disabled or removed',
      ],
    },
  },
  {
    command: 'stop call_1',
    notRun: 'it requires a call that never ends.',
    fields: { stopped: 'the id of the call' },
  },
  {
    command: 'tasks list',
    fields: {
      tasks: like('the queued tasks', 'GET /tasks'),
      due: like('the tasks and everything else that is due', 'GET /clock'),
    },
  },
  {
    command: 'tasks run task_1',
    notRun: 'it requires a queued task.',
    fields: {
      ran: 'the id of the task',
      call: ['string', 'the id of the call that ran it'],
      ...verdictOfCall,
    },
  },
  {
    command: 'tasks cancel task_1',
    notRun: 'it requires a queued task.',
    fields: { cancelled: 'the id of the task' },
  },
  {
    command: 'clock show',
    fields: {
      ...clockFields,
      due: like('the queued tasks, webhook retries and expiring tokens', 'GET /clock'),
    },
  },
  ...['advance 1h', 'set 2100-01-01T00:00Z', 'run'].map((command) => ({
    command: `clock ${command}`,
    fields: {
      ...clockFields,
      happened:
        'the calls and webhook requests, each with its time `at`, `what`, `title`, `id` and `result`, and whether it `failed`',
      stopped: ['string', 'the limit that was reached: `same-instant` or `too-many-calls`'],
    } as const,
  })),
  {
    command: 'clock real',
    fields: clockFields,
  },
  { command: 'state save before', fields: { saved: 'the name of the saved state' } },
  {
    command: 'state list',
    fields: { snapshots: 'the saved states, each with `name` and `savedAt`' },
  },
  { command: 'state load before', fields: { loaded: 'the name of the saved state' } },
  {
    command: 'uninstall',
    fields: {
      installations: 'the remaining installations',
      removed: 'everything else that was removed, as `what` and `names`',
    },
  },
  {
    command: 'webhook send site_view --to {receiver} --secret whsec_1',
    fields: {
      event: 'the event that was sent',
      delivery,
      attempts: 'the requests, each with its headers and result',
    },
  },
  {
    command: 'webhook test --to {receiver} --secret whsec_1',
    fields: {
      ok: 'whether all checks passed',
      conclusion: ['string', 'what the failed checks have in common'],
      results: 'the checks',
      'results[].id': 'the name of the check',
      'results[].what': 'what was sent',
      'results[].expected': 'the status that a correct receiver responds with',
      'results[].got': 'the status that your receiver responded with',
      'results[].verdict': '`pass`, `warn` or `fail`',
      'results[].response': ['object', 'the response body as `{ encoding, content }`'],
      'results[].advice': ['string', 'how to fix it, if the check did not pass'],
    },
  },
  {
    command: 'webhook sign --secret whsec_1 --timestamp 1700000000 platform-manifest.yaml',
    fields: { header: 'the value of `X-Platform-Signature`' },
  },
  {
    command: 'webhook verify --secret whsec_1 --header t=1,v1=aa platform-manifest.yaml',
    fields: {
      valid: 'whether the signature is valid',
      reason: 'the reason as a code, if it is invalid',
      explanation: 'the reason as a sentence, if it is invalid',
    },
  },
  ...databaseDocuments,
];
