import { localMinute } from '../session/call-words.js';
import { defineCommand, fine } from '../context/command.js';
import { connect } from '../session/connect.js';

const save = defineCommand({
  name: 'save',
  summary: 'save installations, configurations, tasks and blocks',
  arguments: { '<name>': 'name for the saved state' },
  examples: {
    'platform state save connected': 'save the state before an experiment',
    'platform state save fresh --json': 'print the result as JSON',
  },
  async run(context, [name = '']) {
    const client = await connect(context);
    await client.call('PUT /snapshots/{name}', { name });
    if (context.json) context.emit({ saved: name });
    else context.print(`Saved as ${name}. Restore it with: platform state load ${name}`);
    return fine;
  },
});

const load = defineCommand({
  name: 'load',
  summary: 'restore a saved state without sending events',
  arguments: { '<name>': 'name of the saved state' },
  examples: {
    'platform state load connected': 'undo the experiment',
    'platform state load fresh --json': 'print the result as JSON',
  },
  async run(context, [name = '']) {
    const client = await connect(context);
    await client.call('POST /snapshots/{name}/load', { name });
    if (context.json) context.emit({ loaded: name });
    else context.print(`Restored ${name}.`);
    return fine;
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'list saved states',
  examples: {
    'platform state list': 'list names and creation times',
    'platform state list --json': 'print the result as JSON',
  },
  async run(context) {
    const client = await connect(context);
    const snapshots = await client.call('GET /snapshots');
    if (context.json) context.emit({ snapshots });
    else if (snapshots.length === 0)
      context.print('No saved states. Save one with: platform state save <name>');
    else {
      const width = Math.max(...snapshots.map(({ name }) => name.length));
      for (const { name, savedAt } of snapshots.toReversed().sort((a, b) => b.savedAt - a.savedAt))
        context.print(`${name.padEnd(width)}  ${context.style.dim(localMinute(savedAt))}`);
    }
    return fine;
  },
});

export const state = defineCommand({
  name: 'state',
  summary: 'save and restore the state of the running platform',
  examples: {
    'platform state save connected': 'save the state before an experiment',
    'platform state load connected': 'undo the experiment',
  },
  subcommands: [save, load, list],
});
