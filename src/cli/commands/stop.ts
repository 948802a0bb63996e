import { defineCommand, fine } from '../context/command.js';
import { connect } from '../session/connect.js';

export const stop = defineCommand({
  name: 'stop',
  summary: 'stop a running call, for example one that is stuck in an infinite loop',
  arguments: { '<id>': 'id shown by platform dev or platform logs' },
  examples: {
    'platform stop call_01k': 'stop the call, and restart the script if it is blocked',
    'platform stop call_01k --json': 'print the result as JSON',
  },
  async run(context, [id = '']) {
    const client = await connect(context);
    await client.call('POST /calls/{call}/stop', { call: id });
    if (context.json) context.emit({ stopped: id });
    else context.print(`Stopped ${id}. To see where it was, run: platform inspect ${id}`);
    return fine;
  },
});
