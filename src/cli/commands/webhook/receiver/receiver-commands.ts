import { readBody } from '../../../../base/text/read-body.js';
import { wrapText } from '../../../../terminal/wrap-text.js';
import { UserError } from '../../../../base/user-error.js';
import {
  defineCommand,
  fine,
  InvalidValue,
  parsePort,
  parseWholeNumber,
  type CommandSpec,
} from '../../../context/command.js';
import type { ConformanceResult } from '../../../../webhooks/receive/test-receiver.js';
import { checkAddress } from '../basics/webhook-types.js';
import { needOptions } from '../basics/require-options.js';
import type { ReceiverOptions } from './run-receiver.js';

const listen = defineCommand<ReceiverOptions>({
  name: 'listen',
  summary: 'run a receiver that prints webhooks or simulates failures',
  options: {
    '-p, --port <port>': { description: 'port to listen on', parse: parsePort, default: 4200 },
    '--secret <secret>': 'signing secret (default: a new one, which is printed)',
    '--respond <statuses>': {
      description: 'response statuses in order, such as 500,500,200; the last one repeats',
      parse: parseStatuses,
    },
    '--delay <ms>': {
      description: 'delay before each response, in milliseconds',
      parse: parseWholeNumber,
      default: 0,
    },
    '--drop <n>': {
      description: 'close the first n connections without responding',
      parse: parseWholeNumber,
      default: 0,
    },
    '--duplicate': 'respond with 500 to the first request for each event, so that it is sent again',
  },
  examples: {
    'platform webhook listen': 'accept everything',
    'platform webhook listen --respond 500,500,200': 'fail twice, then accept',
  },
  async run(context, _, options) {
    const { runReceiver } = await import('./run-receiver.js');
    await runReceiver(context, options);
    return fine;
  },
});

interface TestOptions {
  to?: string;
  secret?: string;
}

const test = defineCommand<TestOptions>({
  name: 'test',
  summary: 'test your receiver with valid and invalid requests',
  options: { '--to <url>': 'URL of your receiver', '--secret <secret>': 'signing secret of your receiver' },
  examples: {
    'platform webhook test --to http://127.0.0.1:3000/webhook --secret whsec_1': 'print each check',
    'platform webhook test --to http://127.0.0.1:3000/webhook --secret whsec_1 --json':
      'print the result as JSON',
  },
  async run(context, _, options) {
    const usage = 'platform webhook test --to <url> --secret <secret>';
    const { to, secret } = needOptions(options, { to: '--to', secret: '--secret' }, usage);
    checkAddress(to);
    const [{ concludeTest, testReceiver }, { newEventId }, { webhookFetch }, { renderConformance }] =
      await Promise.all([
        import('../../../../webhooks/receive/test-receiver.js'),
        import('../../../../webhooks/endpoint-registry.js'),
        import('../../../../emulator/webhook-fetch.js'),
        import('./render-conformance.js'),
      ]);
    const { clock } = context.io;
    const results: ConformanceResult[] = [];
    for await (const result of testReceiver({
      url: to,
      secret,
      clock,
      fetch: webhookFetch,
      newId: newEventId,
    })) {
      if (results.length === 0 && ['refused', 'dns'].includes(result.got)) {
        throw new UserError('no-receiver', `Cannot connect to ${to}.`, 'Start your receiver first.');
      }
      if (!context.json) context.print(renderConformance(result, results.at(-1), context.style));
      results.push(result);
    }
    const failed = results.filter(({ verdict }) => verdict === 'fail').length;
    const conclusion = concludeTest(results);
    if (context.json) {
      const shown = results.map(({ response, ...rest }) => ({
        ...rest,
        ...(response && { response: readBody(response) }),
      }));
      context.emit({ ok: failed === 0, ...(conclusion !== undefined && { conclusion }), results: shown });
    } else {
      if (conclusion !== undefined) context.print(`\n${wrapText(conclusion, context.width).join('\n')}`);
      context.print(
        failed === 0
          ? context.style.green(`\nAll ${results.length} checks passed.`)
          : context.style.red(`\n${failed} of ${results.length} checks failed.`),
      );
    }
    return failed === 0 ? fine : { kind: 'findings' };
  },
});

export const receiverCommands: readonly CommandSpec[] = [listen, test];

function parseStatuses(text: string): number[] {
  const statuses = text.split(',').map((part) => part.trim());
  if (statuses.some((status) => !/^[1-5]\d\d$/.test(status) || status.startsWith('1'))) {
    throw new InvalidValue('Statuses must be between 200 and 599, such as 500,500,200.');
  }
  return statuses.map(Number);
}
