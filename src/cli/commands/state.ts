import { defineCommand, fine } from '../command.js';
import { connect } from '../session/connect.js';

const save = defineCommand({
  name: 'save',
  summary: 'save installations, configurations, tasks and blocks under a name',
  arguments: [{ syntax: '<name>', description: 'what to call it' }],
  examples: [
    { command: 'platform state save connected', does: 'before an experiment' },
    { command: 'platform state save fresh --json', does: 'in a script' },
  ],
  async run(context, [name = '']) {
    const client = await connect(context);
    await client.call('PUT /snapshots/{name}', { name });
    if (context.json) context.emit({ saved: name });
    else context.print(`Saved as ${name}. Go back to it with: platform state load ${name}`);
    return fine;
  },
});

const load = defineCommand({
  name: 'load',
  summary: 'go back to a saved state; no event fires',
  arguments: [{ syntax: '<name>', description: 'as it was saved' }],
  examples: [
    { command: 'platform state load connected', does: 'back to before the experiment' },
    { command: 'platform state load fresh --json', does: 'in a script' },
  ],
  async run(context, [name = '']) {
    const client = await connect(context);
    await client.call('POST /snapshots/{name}/load', { name });
    if (context.json) context.emit({ loaded: name });
    else context.print(`Back at ${name}.`);
    return fine;
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'list saved states',
  examples: [
    { command: 'platform state list', does: 'names and times' },
    { command: 'platform state list --json', does: 'for a script' },
  ],
  async run(context) {
    const client = await connect(context);
    const snapshots = await client.call('GET /snapshots');
    if (context.json) context.emit({ snapshots });
    else if (snapshots.length === 0)
      context.print('Nothing is saved yet. Save the state with: platform state save <name>');
    else
      for (const { name, savedAt } of snapshots)
        context.print(`${name}  ${context.style.dim(new Date(savedAt).toLocaleString())}`);
    return fine;
  },
});

export const state = defineCommand({
  name: 'state',
  summary: 'save the state of the running platform, and go back to it',
  examples: [
    { command: 'platform state save connected', does: 'before an experiment' },
    { command: 'platform state load connected', does: 'back to before it' },
  ],
  subcommands: [save, load, list],
});
