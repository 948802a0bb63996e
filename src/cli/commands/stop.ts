import { defineCommand, fine } from '../context/command.js';
import { connect } from '../session/connect.js';

export const stop = defineCommand({
  name: 'stop',
  summary: 'end a running call, for example one in an endless loop',
  arguments: [{ syntax: '<id>', description: 'id printed by platform dev or platform logs' }],
  examples: [
    { command: 'platform stop call_01k', does: 'end the call; a script that it keeps busy starts again' },
    { command: 'platform stop call_01k --json', does: 'as JSON' },
  ],
  async run(context, [id = '']) {
    const client = await connect(context);
    await client.call('POST /calls/{call}/stop', { call: id });
    if (context.json) context.emit({ stopped: id });
    else context.print(`Stopped ${id}. See where it was with: platform inspect ${id}`);
    return fine;
  },
});
